import type { SecretProvider, SecretValues } from "./secret-provider.ts";

type Question = "getSecrets" | "refresh";

/**
 * Asks the providers in their order, each only for what the earlier ones do not have. A provider
 * that fails fails the question: a later one could have another value under the same name.
 */
export function chainProvider(providers: readonly SecretProvider[]): SecretProvider {
  const ask =
    (question: Question): SecretProvider[Question] =>
    async (namespace, names, signal): Promise<SecretValues> => {
      const values = new Map<string, string>();
      for (const provider of providers) {
        const missing = names.filter((name) => !values.has(name));
        if (missing.length === 0) break;
        const found = await provider[question](namespace, missing, signal);
        for (const [name, value] of found) values.set(name, value);
      }
      return values;
    };
  return { getSecrets: ask("getSecrets"), refresh: ask("refresh") };
}
