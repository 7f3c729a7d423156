import { describeCommand } from "./command-args.ts";
import { binArgv } from "./npm/bin-argv.ts";
import { chooseBin } from "./npm/choose-bin.ts";
import type { PackageCache } from "./npm/package-cache.ts";
import { termsOf } from "./npm/package-spec.ts";
import { tellSkippedScripts } from "./npm/skipped-scripts.ts";
import type { Prepare } from "./prepare.ts";

/**
 * `npx` servers: the package is installed once and its program is started directly, so that no
 * package runner stays resident and nothing is looked up on PATH.
 */
export function prepareNpx(cache: PackageCache): Prepare {
  return async (launch, signal) => {
    const terms = termsOf(launch.install);
    const spec = { name: launch.package, version: launch.version, terms };
    const installed = await cache.get(spec, signal);
    const { entry, folder, manifest } = installed;
    const argv = await binArgv(folder, chooseBin(manifest, launch.bin));
    return {
      launch,
      argv: [...argv, ...launch.args],
      command: describeCommand(launch),
      hold: () => cache.hold(installed),
      ...(terms.allowScripts ? {} : { explainStart: (error) => tellSkippedScripts(error, entry) }),
    };
  };
}
