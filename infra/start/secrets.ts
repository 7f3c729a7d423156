import { existsSync, readFileSync } from "node:fs";
import { parseEnvFile } from "../../shared/config/env-file.ts";

const prefix = "GW_SECRET_";

/** `GW_SECRET_*` variables of the file, if there is one, and of the environment, which wins. */
export function readSecrets(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const inFile = existsSync(file) ? parseEnvFile(readFileSync(file, "utf8")).values : {};
  return Object.fromEntries(
    Object.entries({ ...inFile, ...environment }).flatMap(([name, value]) =>
      name.startsWith(prefix) && value !== undefined ? [[name, value]] : [],
    ),
  );
}
