/** Whose secrets are asked for: a tenant's id, or `deployment` for the deployment's own servers. */
export type Namespace = string;

export interface SecretBatch {
  /** The names that have a value; a missing name is left out, never an error. */
  readonly values: ReadonlyMap<string, string>;
  /** Changes when any value changes; null where the store has no versions. */
  readonly version: string | null;
}

export interface SecretProvider {
  /**
   * @throws GatewayError SECRET_PROVIDER_FAILED when the store cannot be asked.
   */
  getSecrets(namespace: Namespace, names: readonly string[]): Promise<SecretBatch>;
}
