import { askableNames, type SecretProvider, type SecretValues } from "./secret-provider.ts";

/**
 * Secrets from the Worker's own variables, for development and small set-ups:
 * `GW_SECRET_<TENANT>__<NAME>` (tenant in capitals, `-` written `_`), else `GW_SECRET_<NAME>`,
 * which every tenant may use.
 *
 * A NAME that holds `__` is never looked up, and one that begins with `_` only among the shared
 * ones: either could spell another tenant's variable.
 */
export function envProvider(secrets: ReadonlyMap<string, string>): SecretProvider {
  function ownValue(namespace: string, name: string): string | undefined {
    if (name.startsWith("_")) return undefined;
    return secrets.get(`${namespace.toUpperCase().replaceAll("-", "_")}__${name}`);
  }

  async function getSecrets(namespace: string, names: readonly string[]): Promise<SecretValues> {
    const values = new Map<string, string>();
    for (const name of askableNames(namespace, names)) {
      if (name.includes("__")) continue;
      const value = ownValue(namespace, name) ?? secrets.get(name);
      if (value !== undefined) values.set(name, value);
    }
    return values;
  }

  return { getSecrets, refresh: getSecrets };
}
