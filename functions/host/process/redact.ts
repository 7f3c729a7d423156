import { createRedactor } from "../../../shared/secrets/redact.ts";

/** Replaces every known value in a text by `***`. */
export type Redact = (text: string) => string;

interface RedactedValues {
  /** Secrets: masked at any length. */
  readonly secrets: readonly string[];
  /** Plain values: masked from `minPlainLength` on, since `1` and `en` are words, not secrets. */
  readonly plain: readonly string[];
}

const minPlainLength = 4;
const mask = "***";
/** Far below what would exhaust the stack. */
const maxDepth = 100;

/** Masks the values in every spelling that the shared redactor knows. */
export function createRedact(values: RedactedValues): Redact {
  const plain = values.plain.filter((value) => value.length >= minPlainLength);
  const all = new Set([...values.secrets, ...plain]);
  const named = new Map([...all].map((value, index) => [String(index), value]));
  const redactor = createRedactor(named, { label: () => mask, shortest: 1 });
  return (text) => redactor.text(text);
}

/** The same for every string inside a JSON value, keys included; what is nested absurdly deep is left out. */
export function redactJson(redact: Redact, value: unknown, depth = 0): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) return "…";
  if (Array.isArray(value)) return value.map((item) => redactJson(redact, item, depth + 1));
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, item]) => [redact(key), redactJson(redact, item, depth + 1)]),
  );
}
