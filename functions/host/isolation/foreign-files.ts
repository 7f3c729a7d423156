import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Identity } from "./identity.ts";

const usable = 0o700;

/**
 * Whether a path, or anything below it, is somebody else's than the owner's, or a folder that the
 * owner cannot use. Links are looked at and not followed; what is gone meanwhile does not count.
 */
export function holdsForeign(path: string, owner: Identity): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.uid !== owner.uid) return true;
  if (!found.isDirectory()) return false;
  if ((found.mode & usable) !== usable) return true;
  return namesIn(path).some((name) => holdsForeign(join(path, name), owner));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
