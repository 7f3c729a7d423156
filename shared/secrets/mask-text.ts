import type { SecretMatch } from "./find-secrets.ts";

export interface MaskedText {
  readonly text: string;
  /** Labels written: one for each match, or group of matches that overlap. */
  readonly count: number;
  /** Where the last mask ends in the source: beyond `end` when a match reaches over it. */
  readonly maskedTo: number;
}

export interface MaskRange {
  /** Text before this position is already behind a label. */
  readonly from: number;
  /** Matches that begin here or later wait for more text. */
  readonly end: number;
}

/**
 * The part of `text` inside the range with each match replaced by its label. Matches that overlap
 * become one label, that of the one that begins first, so that no rest of either stays.
 */
export function maskText(
  text: string,
  matches: readonly SecretMatch[],
  range: MaskRange,
  label: (name: string) => string,
): MaskedText {
  let masked = "";
  let count = 0;
  let at = range.from;
  for (const { start, end, name } of matches) {
    if (start >= range.end) break;
    if (start >= at) {
      masked += text.slice(at, start) + label(name);
      count += 1;
    }
    at = Math.max(at, end);
  }
  return { text: masked + text.slice(at, Math.max(at, range.end)), count, maskedTo: at };
}
