import { existsSync, readFileSync } from "node:fs";
import { parseEnvFile } from "../../shared/config/env-file.ts";
import { secretPrefix } from "../../shared/secrets/variable-names.ts";
import { findingLine } from "../finding-line.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export interface StartSecrets {
  /** The file they may stand in, for messages. */
  readonly file: string;
  /** `GW_SECRET_*` variables. */
  readonly variables: Readonly<Record<string, string>>;
  /** Names that are set and not read, since they lack the prefix. */
  readonly unread: ReadonlySet<string>;
  /** What is wrong with the file, without any value. */
  readonly notes: readonly string[];
}

/** `GW_SECRET_*` variables of the file, if there is one, and of the environment, which wins. */
export function readSecrets(file: string, environment: Variables): StartSecrets {
  const { values, findings } = parseEnvFile(existsSync(file) ? readFileSync(file, "utf8") : "");
  const unprefixed = Object.keys(values).filter((name) => !name.startsWith(secretPrefix));
  const all: Variables = { ...values, ...environment };
  const variables = Object.entries(all).flatMap(([name, value]) =>
    name.startsWith(secretPrefix) && value !== undefined ? [[name, value] as const] : [],
  );
  return {
    file,
    variables: Object.fromEntries(variables),
    unread: new Set(Object.keys(all).filter((name) => !name.startsWith(secretPrefix))),
    notes: [
      ...findings.map((finding) => findingLine(file, finding)),
      ...unprefixed.map(
        (name) => `${file} warning '${name}' is not read: write \`${secretPrefix}${name}\`.`,
      ),
    ],
  };
}
