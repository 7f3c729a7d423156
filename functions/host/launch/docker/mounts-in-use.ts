import { realpathSync } from "node:fs";
import { launchNotAllowed } from "../check-launch.ts";
import type { Mount } from "./run-argv.ts";

/**
 * The folders that this host's containers see. A container that may write to a folder may put a
 * link in the place of anything in it, and the engine resolves a path once more when it starts
 * another: so none is started whose folder lies in one that another may write to.
 */
export class MountsInUse {
  readonly #mounts = new Set<Mount>();

  /**
   * Takes resolved mounts until what it returns is called, after the container's end.
   * @throws GatewayError LAUNCH_NOT_ALLOWED
   */
  take(mounts: readonly Mount[]): () => void {
    for (const mount of mounts) {
      for (const other of this.#mounts) refuseNested(mount, other);
    }
    // From here on no container of this host can change them; one that has just ended could.
    for (const { source } of mounts) refuseMoved(source);
    const own = mounts.map((mount) => ({ ...mount }));
    for (const mount of own) this.#mounts.add(mount);
    return () => {
      for (const mount of own) this.#mounts.delete(mount);
    };
  }
}

function refuseNested(mount: Mount, other: Mount): void {
  const isUnsafe =
    (!other.readOnly && liesIn(mount.source, other.source)) ||
    (!mount.readOnly && liesIn(other.source, mount.source));
  if (!isUnsafe) return;
  throw launchNotAllowed({
    reason: "volume-invalid",
    message: `The volume's folder ${mount.source} and that of a running container lie in each other, and the outer one may be written to.`,
    hint: "Mount the outer folder read-only, or folders beside each other; or call again when the other server has ended.",
  });
}

function liesIn(path: string, folder: string): boolean {
  return path.startsWith(folder === "/" ? folder : `${folder}/`) && path !== folder;
}

function refuseMoved(source: string): void {
  if (realPath(source) === source) return;
  throw launchNotAllowed({
    reason: "volume-invalid",
    message: `The volume's folder ${source} was replaced while the container was made ready.`,
    hint: "Call again when nothing moves folders there.",
  });
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
