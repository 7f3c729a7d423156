import type { ScopedServer } from "./load.ts";
import type { Target } from "./target.ts";

/**
 * The server that a qualified name of a tool or prompt begins with, `server__tool`; undefined
 * where the name is none, or could be of several servers.
 */
export function qualifiedServer(
  target: Target,
  servers: readonly ScopedServer[],
): string | undefined {
  const asked = askedName(target);
  const [only, ...others] = servers.filter(({ name }) => asked.startsWith(prefixOf(name)));
  return others.length === 0 ? only?.name : undefined;
}

function askedName(target: Target): string {
  if (target.kind === "tool" || target.kind === "prompt") return target.name;
  return target.kind === "completion" && target.ref.type === "ref/prompt" ? target.ref.name : "";
}

/** As `qualifiedName` begins: no digit stands first. */
function prefixOf(server: string): string {
  return `${/^[0-9]/.test(server) ? "_" : ""}${server}__`;
}
