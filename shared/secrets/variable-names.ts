/** What the names of variables that hold secrets begin with. */
export const secretPrefix = "GW_SECRET_";

/**
 * The variables, without `GW_SECRET_`, that hold a secret of a namespace, the first that is set
 * counts: `<TENANT>__<NAME>` (tenant in capitals, `-` written `_`), else `<NAME>`, which every
 * tenant may use.
 *
 * A NAME that holds `__` has none, and one that begins with `_` only the shared one: either could
 * spell another tenant's variable.
 */
export function variableNames(namespace: string, name: string): readonly string[] {
  if (name.includes("__")) return [];
  const own = `${namespace.toUpperCase().replaceAll("-", "_")}__${name}`;
  return name.startsWith("_") ? [name] : [own, name];
}
