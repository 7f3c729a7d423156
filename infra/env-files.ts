import { existsSync, readFileSync, realpathSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { ServerConfig } from "../shared/config/server-config.ts";

export interface EnvFiles {
  /** Text of each env file that was read, by its path as written. */
  readonly texts: Readonly<Record<string, string>>;
  /** One sentence for each env file that was not. */
  readonly problems: readonly string[];
}

/**
 * Reads the env files that servers name, from the config's own folder only: where a link leads is
 * looked at, so that a config cannot fetch files from elsewhere on the machine.
 */
export function readEnvFiles(configFolder: string, servers: readonly ServerConfig[]): EnvFiles {
  const folder = realpathSync(configFolder);
  const texts: Record<string, string> = {};
  const problems: string[] = [];
  for (const { name, env_file: path } of servers) {
    if (path === undefined) continue;
    const found = resolve(folder, path);
    if (!existsSync(found)) {
      problems.push(`Env file '${path}' of '${name}' does not exist.`);
    } else if (!isInside(folder, realpathSync(found))) {
      problems.push(
        `Env file '${path}' of '${name}' is outside the config's folder and is not read.`,
      );
    } else {
      texts[path] = readFileSync(found, "utf8");
    }
  }
  return { texts, problems };
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== "" && !way.startsWith("..") && resolve(folder, way) === path;
}
