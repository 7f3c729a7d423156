import { realpath } from "node:fs/promises";
import type { Launch } from "../../../../shared/run-contract/contract.ts";
import { parseVolume } from "../../../../shared/policy/volume.ts";
import { launchNotAllowed } from "../check-launch.ts";
import type { Mount } from "./run-argv.ts";

/**
 * The folders that a container is to see, judged by the operator's roots as they are written and
 * again with symbolic links resolved; what is mounted is the resolved path.
 * @throws GatewayError LAUNCH_NOT_ALLOWED
 */
export async function resolveMounts(
  volumes: NonNullable<Launch["volumes"]>,
  roots: readonly string[],
): Promise<Mount[]> {
  if (volumes.length === 0) return [];
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => root)));
  return Promise.all(
    volumes.map(async ({ source, target, read_only: readOnly }) => {
      const mode = readOnly ? "ro" : "rw";
      judge(`${source}:${target}:${mode}`, roots);
      const real = await realpath(source).catch(() => null);
      if (real === null) throw missingFolder(source);
      judge(`${real}:${target}:${mode}`, realRoots);
      return { source: real, target, readOnly };
    }),
  );
}

function judge(text: string, roots: readonly string[]): void {
  const checked = parseVolume(text, roots);
  if (!checked.ok) throw launchNotAllowed(checked);
}

function missingFolder(source: string): Error {
  return launchNotAllowed({
    reason: "volume-invalid",
    message: `The volume's folder ${source} is not on the host's machine.`,
    hint: "Volumes need an engine on the host's own machine; make the folder there.",
  });
}
