import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { readConfig } from "../../shared/config/read-config.ts";
import type { UnusableServer } from "../../shared/config/deployment.ts";
import type { ServerConfig } from "../../shared/config/server-config.ts";
import { readEnvFiles } from "../env-files.ts";
import { findingLine } from "../finding-line.ts";
import { StartError } from "./start-error.ts";

export interface ConfigServers {
  readonly file: string;
  readonly servers: readonly ServerConfig[];
  /** Entries with errors: calls of them are told why. */
  readonly unusable: readonly UnusableServer[];
  /** Texts of the env files that the servers name, by path as written. */
  readonly envFiles: Readonly<Record<string, string>>;
  /** One line each: what is wrong with the file. */
  readonly notes: readonly string[];
}

/**
 * Reads a config file of any dialect for `npm start`. Env files are read inside the config's own
 * folder only, whatever links lead out of it.
 * @throws StartError when the file cannot be read or holds no servers.
 */
export function readConfigServers(file: string): ConfigServers {
  if (!existsSync(file)) throw new StartError(`There is no config file ${file}.`);
  const text = readFileSync(file, "utf8");
  const reading = readConfig({ text, path: file }, { mode: "development", source: "operator" });
  const notes = reading.findings.map((finding) => findingLine(file, finding));
  if (!reading.documentOk) {
    throw new StartError([`${file} cannot be used:`, ...notes].join("\n"));
  }
  const servers = reading.servers.flatMap(({ config }) => config ?? []);
  const unusable = reading.servers
    .filter(({ config }) => config === null)
    .map(({ name, findings }) => ({ name, findings: [...findings] }));
  const env = readEnvFiles(dirname(file), servers);
  const problems = env.problems.map((problem) => `${file} warning ${problem}`);
  return { file, servers, unusable, envFiles: env.texts, notes: [...notes, ...problems] };
}
