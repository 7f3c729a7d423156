import { variableNames } from "../../../shared/secrets/variable-names.ts";
import { askableNames, type SecretProvider, type SecretValues } from "./secret-provider.ts";

/**
 * Secrets from the Worker's own variables, for development and small set-ups; `secrets` are they
 * without their prefix. See `variableNames` for which of them a tenant has.
 */
export function envProvider(secrets: ReadonlyMap<string, string>): SecretProvider {
  async function getSecrets(namespace: string, names: readonly string[]): Promise<SecretValues> {
    const values = new Map<string, string>();
    for (const name of askableNames(namespace, names)) {
      const variable = variableNames(namespace, name).find((each) => secrets.has(each));
      const value = variable === undefined ? undefined : secrets.get(variable);
      if (value !== undefined) values.set(name, value);
    }
    return values;
  }

  return { getSecrets, refresh: getSecrets };
}
