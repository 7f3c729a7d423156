/** Whose secrets are asked for: a tenant's id, or `deployment` for the deployment's own servers. */
export type Namespace = string;

/** Values by name; a name without a value is left out, never an error. */
export type SecretValues = ReadonlyMap<string, string>;

/** What the stages of an operation ask for secrets. */
export interface SecretProvider {
  /**
   * @throws GatewayError SECRET_PROVIDER_FAILED when the store cannot be asked,
   * SECRET_PROVIDER_REFUSED when it refuses Gangway, SECRET_UNUSABLE when a value is no text,
   * CANCELLED when `signal` aborts
   */
  getSecrets(
    namespace: Namespace,
    names: readonly string[],
    signal?: AbortSignal,
  ): Promise<SecretValues>;
  /**
   * The same, past the cache: for a server that refused values which a rotation may have replaced.
   * Asks the store again only where it was not asked so lately that the answer cannot be news.
   */
  refresh(
    namespace: Namespace,
    names: readonly string[],
    signal?: AbortSignal,
  ): Promise<SecretValues>;
}

export interface StoredSecrets {
  readonly values: SecretValues;
  /** `values` holds every secret of the namespace, not only the names that were asked for. */
  readonly whole: boolean;
}

/** A store that each question costs a request: read through `cachedProvider`. */
export interface SecretStore {
  /** Throws as `SecretProvider.getSecrets`. */
  read(
    namespace: Namespace,
    names: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<StoredSecrets>;
}

const namespacePattern = /^[a-z][a-z0-9-]{1,30}$/;
const namePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The names that can be asked for in this namespace: none that would reach outside it. */
export function askableNames(namespace: Namespace, names: readonly string[]): readonly string[] {
  return namespacePattern.test(namespace) ? names.filter((name) => namePattern.test(name)) : [];
}
