import type { SecretFinder } from "./find-secrets.ts";
import { maskText } from "./mask-text.ts";

/** Redacts one text that arrives in pieces, cut anywhere. */
export interface RedactStream {
  /** The redacted text that is certain by now; the rest is held back. */
  push(piece: string): string;
  /** What was held back. Nothing may be pushed afterwards. */
  end(): string;
}

/**
 * Holds back less than twice the length of the longest spelling of a value: once because a match
 * may go on, once more so that small pieces do not make it search the same text again and again.
 */
export function createRedactStream(
  finder: SecretFinder,
  label: (name: string) => string,
): RedactStream {
  let held = "";
  /** How much of `held` is behind a label that was already written. */
  let masked = 0;

  function take(end: number): string {
    const range = { from: masked, end };
    const taken = maskText(held, finder.find(held), range, label);
    held = held.slice(end);
    masked = Math.max(0, taken.maskedTo - end);
    return taken.text;
  }

  return {
    push(piece) {
      held += piece;
      // A match that begins earlier than this ends inside what is here.
      const end = held.length - Math.max(0, finder.longestMatch - 1);
      return end >= finder.longestMatch ? take(end) : "";
    },
    end: () => take(held.length),
  };
}
