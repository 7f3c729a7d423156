/** The two questions that are put to AWS Secrets Manager. */
export interface AwsReader {
  /**
   * The text of a secret's version with the configured label; null for a binary secret.
   * Throws what the SDK throws.
   */
  get(id: string, signal: AbortSignal): Promise<string | null>;
  /**
   * Current versions of up to 20 secrets at once. Throws what the SDK throws when nothing could
   * be read.
   */
  getBatch(ids: readonly string[], signal: AbortSignal): Promise<AwsBatch>;
}

export interface AwsBatch {
  /** Texts by id; null for a binary secret. */
  readonly texts: ReadonlyMap<string, string | null>;
  /** AWS's error code by id. */
  readonly failures: ReadonlyMap<string, string>;
  /** What is in neither map does not exist; false: the answer was cut, and nothing is known of it. */
  readonly complete: boolean;
}

/** Most ids that one BatchGetSecretValue takes. */
export const batchSize = 20;
