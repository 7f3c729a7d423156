import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";

/** The folders of one process, 0700 each, which nobody else uses and which end with it. */
export interface ProcessDirectories {
  readonly root: string;
  readonly home: string;
  readonly tmp: string;
  /** Its working directory, empty at the start. */
  readonly work: string;
}

export async function makeDirectories(instanceFolder: string): Promise<ProcessDirectories> {
  const root = await mkdtemp(join(instanceFolder, "p-"));
  const folders = { home: join(root, "home"), tmp: join(root, "tmp"), work: join(root, "work") };
  await Promise.all(Object.values(folders).map((folder) => mkdir(folder, { mode: 0o700 })));
  return { root, ...folders };
}

/**
 * Removes them; false when something could not be. A process that was just killed may still hold
 * files (removal is tried again a few times), and one may have made folders that resist.
 */
export async function removeDirectories({ root }: ProcessDirectories): Promise<boolean> {
  try {
    await rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    return true;
  } catch {
    return false; // The watcher tries once more at the end of the host.
  }
}
