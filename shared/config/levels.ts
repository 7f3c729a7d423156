/**
 * Servers of several levels as one list, the far level first: deployment, tenant, request. The nearer
 * level replaces the whole entry of a name; no field is inherited. A replaced entry keeps its place.
 */
export function mergeLevels<Server extends { readonly name: string }>(
  levels: readonly (readonly Server[])[],
): Server[] {
  const byName = new Map<string, Server>();
  for (const level of levels) for (const server of level) byName.set(server.name, server);
  return [...byName.values()];
}
