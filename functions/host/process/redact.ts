/** Replaces every known value in a text by `***`. */
export type Redact = (text: string) => string;

interface RedactedValues {
  /** Secrets: masked at any length. */
  readonly secrets: readonly string[];
  /** Plain values: masked from `minPlainLength` on, since `1` and `en` are words, not secrets. */
  readonly plain: readonly string[];
}

const minPlainLength = 4;
/** Encodings of shorter values occur by chance. */
const minEncodedLength = 4;
const mask = "***";
/** Far below what would exhaust the stack. */
const maxDepth = 100;

/** Masks the values as they are, and as base64, base64url, percent and JSON encoding write them. */
export function createRedact(values: RedactedValues): Redact {
  const wanted = new Set<string>();
  const plain = values.plain.filter((value) => value.length >= minPlainLength);
  for (const value of [...values.secrets, ...plain])
    for (const form of formsOf(value)) wanted.add(form);
  if (wanted.size === 0) return (text) => text;
  const longestFirst = [...wanted].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longestFirst.map((form) => escapePattern(form)).join("|"), "g");
  return (text) => text.replace(pattern, mask);
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

function formsOf(value: string): string[] {
  if (value === "") return [];
  if (value.length < minEncodedLength) return [value];
  const bytes = Buffer.from(value);
  const base64 = bytes.toString("base64").replace(/=+$/, "");
  return [
    value,
    base64,
    bytes.toString("base64url"),
    percentEncode(value),
    JSON.stringify(value).slice(1, -1),
  ];
}

function percentEncode(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
