import { mkdirSync, statSync } from "node:fs";
import { SettingsError } from "./setting-readers.ts";

/**
 * Makes the data folder, or checks the one that is there: whoever else can write to it decides
 * what code the host runs.
 * @throws SettingsError when it cannot be made, or others may write to it.
 */
export function openDataFolder(path: string): void {
  const remedy = "set GANGWAY_HOST_DATA_DIR to a folder of the host's own user with mode 0700.";
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
    throw new SettingsError(`The data folder ${path} cannot be made (${code}); ${remedy}`);
  }
  const { uid, mode } = statSync(path);
  const isOurs = uid === process.getuid?.() && (mode & 0o022) === 0;
  if (!isOurs) throw new SettingsError(`Others may write to the data folder ${path}; ${remedy}`);
}
