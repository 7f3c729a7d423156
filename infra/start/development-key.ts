import { existsSync, readFileSync } from "node:fs";
import { makeApiKey, parseApiKey } from "../../shared/api/api-key.ts";
import { writePrivately } from "./state-folder.ts";

/**
 * The API key of this machine's development deployments: the one in `file` if it is for
 * `keyId`, else a new one that is kept there.
 */
export async function developmentKey(file: string, keyId: string): Promise<string> {
  const kept = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  if ((await parseApiKey(kept))?.keyId === keyId) return kept;
  const key = await makeApiKey("dev", keyId);
  writePrivately(file, `${key}\n`);
  return key;
}
