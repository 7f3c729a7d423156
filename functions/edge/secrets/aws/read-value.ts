import { attempt } from "./attempt.ts";
import type { AwsFailure } from "./aws-failure.ts";
import type { AwsReader } from "./aws-reader.ts";

/** One secret's end: its text, none, or why it could not be read. */
export type ValueRead =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "missing" }
  | { readonly kind: "binary" }
  | { readonly kind: "failed"; readonly failure: AwsFailure };

/** Reads one secret, and once more where the failure may pass by itself. Never rejects. */
export async function readValue(
  reader: AwsReader,
  id: string,
  signal: AbortSignal,
): Promise<ValueRead> {
  const mayPass = ({ kind }: AwsFailure): boolean => kind === "throttled" || kind === "unavailable";
  const read = await attempt(() => reader.get(id, signal), mayPass, signal);
  if (read.ok) return textRead(read.answer);
  const { failure } = read;
  return failure.kind === "missing" ? { kind: "missing" } : { kind: "failed", failure };
}

/** `null` is how a binary secret is read. */
export function textRead(text: string | null): ValueRead {
  return text === null ? { kind: "binary" } : { kind: "text", text };
}
