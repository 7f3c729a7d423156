import type { FinishedServer } from "./server/finish-server.ts";

/** Checks names across one level: a name is unique among all entries, servers or not. */
export function checkDuplicates(servers: readonly FinishedServer[], otherNames: readonly string[]): void {
  const counts = new Map<string, number>();
  for (const name of [...servers.map((server) => server.name), ...otherNames]) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const twice = [...counts].filter(([, count]) => count > 1).map(([name]) => name).sort();
  if (twice.length === 0) return;
  const shown = twice.slice(0, 20).join(", ") + (twice.length > 20 ? ", …" : "");
  for (const server of servers) {
    if ((counts.get(server.name) ?? 0) < 2) continue;
    const place = server.draft.fields.get("name")?.value ?? server.draft.place;
    const message = `Duplicate tool names found: ${shown}. Each tool must have a unique name.`;
    server.draft.diagnostics.report("GW501", place, message);
  }
}
