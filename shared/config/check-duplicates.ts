import type { FinishedServer } from "./server/finish-server.ts";
import { text } from "./tree/node.ts";

/**
 * Checks names across one level and returns the servers that stand. A name is unique among all
 * entries, servers or not; only where a server from the registry meets one written by hand, the
 * latter wins. A registry server is configured once.
 */
export function checkDuplicates(
  servers: readonly FinishedServer[],
  otherNames: readonly string[],
): readonly FinishedServer[] {
  checkRegistryNames(servers);
  const standing = dropShadowed(servers);
  const counts = count([...standing.map((server) => server.name), ...otherNames]);
  const twice = [...counts]
    .filter(([, times]) => times > 1)
    .map(([name]) => name)
    .sort();
  if (twice.length === 0) return standing;
  const shown = twice.slice(0, 20).join(", ") + (twice.length > 20 ? ", …" : "");
  for (const server of standing) {
    if ((counts.get(server.name) ?? 0) < 2) continue;
    report(
      server,
      "GW501",
      `Duplicate tool names found: ${shown}. Each tool must have a unique name.`,
    );
  }
  return standing;
}

function count(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function registryName({ draft }: FinishedServer): string | undefined {
  return text(draft.fields.get("registry_name")?.value);
}

function report(
  server: FinishedServer,
  rule: "GW501" | "GW502" | "GW503" | "GW504",
  message: string,
): void {
  const field = server.draft.fields.get(rule === "GW502" ? "registry_name" : "name");
  server.draft.diagnostics.report(rule, field?.value ?? server.draft.place, message);
}

function checkRegistryNames(servers: readonly FinishedServer[]): void {
  const seen = new Set<string>();
  const firstOfName = new Map<string, string>();
  for (const server of servers) {
    const registry = registryName(server);
    if (registry === undefined) continue;
    if (seen.has(registry)) report(server, "GW502", `Server '${registry}' is already configured.`);
    seen.add(registry);
    const other = firstOfName.get(server.name);
    if (other !== undefined && other !== registry)
      report(server, "GW504", shortNameWarning(server.name, registry, other));
    if (other === undefined) firstOfName.set(server.name, registry);
  }
}

/** Shown when two registry servers have one short name; the wording is a contract of `gangway add`. */
function shortNameWarning(name: string, registry: string, existing: string): string {
  return `⚠️  Warning: Server '${name}' (${registry}) has the same short name as existing server (${existing}). Consider using --name to specify a unique name.`;
}

/** Registry servers whose name a server written by hand has. */
function dropShadowed(servers: readonly FinishedServer[]): readonly FinishedServer[] {
  const manual = new Set(
    servers.filter((server) => registryName(server) === undefined).map(({ name }) => name),
  );
  return servers.filter((server) => {
    const registry = registryName(server);
    if (registry === undefined || !manual.has(server.name)) return true;
    report(
      server,
      "GW503",
      `'${server.name}' (${registry}) is also written by hand; the one written by hand is used.`,
    );
    return false;
  });
}
