/** The outcome of a policy check: a value, or a refusal that names rule, trouble and remedy. */
export type Check<Value> =
  | { readonly ok: true; readonly value: Value }
  | Refusal;

export interface Refusal {
  readonly ok: false;
  /** Stable tag of the rule that refused, `spec-is-alias`. */
  readonly reason: string;
  readonly message: string;
  readonly hint: string;
  /** Which argument is at fault, counted from 0, where one is. */
  readonly index?: number;
}
