import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./source-files.ts";

export interface TreeCopy {
  readonly folder: string;
  readonly dispose: () => Promise<void>;
}

/** The project's files as they are now in a folder of its own, with the installed packages. */
export async function treeCopy(): Promise<TreeCopy> {
  const folder = await mkdtemp(join(tmpdir(), "gangway-tree-"));
  const args = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const { stdout } = await promisify(execFile)("git", args, { cwd: root, maxBuffer: 64 << 20 });
  const files = new Set(stdout.split("\0").filter((path) => path !== ""));
  // A file that is deleted but not yet committed is still listed.
  // With its times: the set-up installs when the lockfile is newer than what is installed.
  const options = { preserveTimestamps: true };
  await Promise.all(
    [...files].map((path) =>
      cp(join(root, path), join(folder, path), options).catch(() => undefined),
    ),
  );
  // Links of files, never of the folder: an installation in the copy would empty the original.
  const packages = [join(root, "node_modules"), folder];
  await promisify(execFile)("cp", ["-al", ...packages]).catch(async () => {
    await rm(join(folder, "node_modules"), { recursive: true, force: true });
    // Another file system, where links are not to be had.
    await promisify(execFile)("cp", ["-a", ...packages]);
  });
  return { folder, dispose: () => rm(folder, { recursive: true, force: true }) };
}
