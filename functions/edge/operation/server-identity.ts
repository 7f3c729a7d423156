import { sha256Hex } from "../../../shared/api/api-key.ts";
import type { UsableServer } from "./select.ts";

/**
 * What a server is, whatever its name: SHA-256 (hex) of who wrote it, and of the origin and path of
 * its URL, or of its launch as written. References stand in neither origin nor path, so that no
 * secret is in it. A request that copies an operator's server gets neither its session nor its calls.
 */
export function serverIdentity({ source, config }: UsableServer): Promise<string> {
  const { transport, url = "" } = config;
  if (transport !== "stdio")
    return sha256Hex(JSON.stringify(["endpoint", source, withoutQuery(url)]));
  const { command, server, args, env, env_file, encoding, config: settings } = config;
  const launch = [command ?? null, server ?? null, args, env, env_file ?? null, encoding];
  return sha256Hex(JSON.stringify(["launch", source, ...launch, settings ?? null]));
}

function withoutQuery(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
