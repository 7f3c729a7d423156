import type { Finding } from "../config/finding.ts";
import { visible } from "./visible.ts";

/** Message and hint as one visible line, for consumers that show a single text. */
export function advice(finding: Finding): string {
  const message = visible(finding.message);
  const hint = visible(finding.hint);
  if (hint === "") return message;
  return /[.!?:]$/.test(message) ? `${message} ${hint}` : `${message}. ${hint}`;
}
