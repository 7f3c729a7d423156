export type Severity = "error" | "warning" | "info";

/** One diagnostic of the validator. Lines and columns count from 1; null where the config came as an object. */
export interface Finding {
  /** Stable rule id, `GW101`. */
  readonly id: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint: string;
  /** JSON Pointer (RFC 6901) into the document. */
  readonly pointer: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly end_line: number | null;
  readonly end_column: number | null;
  /** Path of the rule's documentation, from the repository's root. */
  readonly docs: string;
}
