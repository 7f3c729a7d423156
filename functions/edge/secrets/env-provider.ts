import type { SecretBatch, SecretProvider } from "./secret-provider.ts";

/**
 * Secrets from the Worker's own variables, for development and small set-ups:
 * `GW_SECRET_<TENANT>__<NAME>` (tenant in capitals, `-` written `_`), else `GW_SECRET_<NAME>`.
 *
 * A NAME that holds `__` is never looked up: it could spell another tenant's variable.
 */
export function envProvider(secrets: ReadonlyMap<string, string>): SecretProvider {
  return {
    async getSecrets(namespace, names): Promise<SecretBatch> {
      const prefix = namespace.toUpperCase().replaceAll("-", "_");
      const values = new Map<string, string>();
      for (const name of names) {
        if (name.includes("__")) continue;
        const value = secrets.get(`${prefix}__${name}`) ?? secrets.get(name);
        if (value !== undefined) values.set(name, value);
      }
      return { values, version: null };
    },
  };
}
