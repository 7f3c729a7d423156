/** The outcome of a policy check: a value, or a refusal that names rule, trouble and remedy. */
export type Check<Value, Reason extends string = string> = Accepted<Value> | Refusal<Reason>;

export interface Accepted<Value> {
  readonly ok: true;
  readonly value: Value;
}

export interface Refusal<Reason extends string = string> {
  readonly ok: false;
  /** Stable tag of the rule that refused, `spec-is-alias`. */
  readonly reason: Reason;
  readonly message: string;
  readonly hint: string;
  /** Which argument is at fault, counted from 0, where one is. */
  readonly index?: number;
}

export function accept<Value>(value: Value): Accepted<Value> {
  return { ok: true, value };
}

export function refuse<Reason extends string>(
  reason: Reason,
  message: string,
  hint: string,
): Refusal<Reason> {
  return { ok: false, reason, message, hint };
}

/** The same refusal, with the index of the argument at fault. */
export function at<Reason extends string>(
  index: number,
  refusal: Refusal<Reason>,
): Refusal<Reason> {
  return { ...refusal, index };
}
