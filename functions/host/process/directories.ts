import { chmod, chown, mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { Identity } from "../isolation/identity.ts";
import { removeTree } from "../isolation/remove-tree.ts";

/** The folders of one process, 0700 each, which nobody else uses and which end with it. */
export interface ProcessDirectories {
  readonly root: string;
  readonly home: string;
  readonly tmp: string;
  /** Its working directory, empty at the start. */
  readonly work: string;
}

/** All of them or none. `owner` is who the process runs as; null = the host's own user. */
export async function makeDirectories(
  instanceFolder: string,
  owner: Identity | null,
): Promise<ProcessDirectories> {
  const root = await mkdtemp(join(instanceFolder, "p-"));
  const folders = { home: join(root, "home"), tmp: join(root, "tmp"), work: join(root, "work") };
  try {
    for (const folder of Object.values(folders)) await mkdir(folder, { mode: 0o700 });
    if (owner !== null) await handOver(root, Object.values(folders), owner);
    return { root, ...folders };
  } catch (error) {
    await removeTree(root);
    throw error;
  }
}

/** The folder around them stays the host's: its owner passes it and neither lists nor moves them. */
async function handOver(root: string, folders: string[], { uid, gid }: Identity): Promise<void> {
  await Promise.all(folders.map((folder) => chown(folder, uid, gid)));
  await chown(root, 0, gid);
  await chmod(root, 0o710);
}

/** Removes them; false when something could not be. */
export function removeDirectories({ root }: ProcessDirectories): Promise<boolean> {
  return removeTree(root);
}
