import type { HostSettings } from "../settings.ts";
import { PackageRoom } from "./cache/package-room.ts";
import { openDocker } from "./docker/open-docker.ts";
import { openNpx } from "./open-npx.ts";
import type { RunnerDependencies, Runners } from "./prepare.ts";
import { openUvx } from "./uvx/open-uvx.ts";

/** The runners of this host, ready for launches. */
export interface OpenRunners {
  readonly runners: Runners;
  /** Ends installations that run. */
  readonly endInstalls: () => Promise<void>;
  /** Removes what processes have left outside of the host's folders; called after the last one's end. */
  readonly close: () => Promise<void>;
}

export function openRunners(
  settings: HostSettings,
  shared: Omit<RunnerDependencies, "room">,
): OpenRunners {
  const room = new PackageRoom({ ...shared, maxBytes: settings.maxPackageBytes });
  const deps = { ...shared, room };
  const npx = openNpx(settings, deps);
  const uvx = openUvx(settings, deps);
  const docker = openDocker(settings, deps);
  const all = [npx, uvx, docker];
  void room.tidy();
  return {
    runners: { npx: npx.prepare, uvx: uvx.prepare, docker: docker.prepare },
    endInstalls: async () => void (await Promise.all(all.map((one) => one.endInstalls()))),
    close: async () => void (await Promise.all([room.rest(), ...all.map((one) => one.close())])),
  };
}
