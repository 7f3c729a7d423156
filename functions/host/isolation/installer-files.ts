import { chmod, chown, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Identity } from "./identity.ts";

/** Gives a folder that the host has just made, and the files in it, to the installer. */
export async function giveToInstaller(folder: string, installer: Identity): Promise<void> {
  const paths = [folder, ...(await readdir(folder)).map((name) => join(folder, name))];
  await Promise.all(paths.map((path) => chown(path, installer.uid, installer.gid)));
}

/** Lets the installer, and nobody else, read files of the host's in a folder of theirs. */
export async function showToInstaller(
  folder: string,
  files: readonly string[],
  { gid }: Identity,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const path of [folder, ...files]) await chown(path, 0, gid);
  await chmod(folder, 0o710);
  for (const file of files) await chmod(file, 0o640);
}
