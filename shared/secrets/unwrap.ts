/** Text without the breaks of its wrapped lines, and the way back. */
export interface Unwrapped {
  readonly text: string;
  /** Where the `length` characters from `start` on stand in the wrapped text; null where no break is inside. */
  readonly place: (start: number, length: number) => { start: number; end: number } | null;
}

/** Longest indentation of a wrapped line that is taken for one. */
const longestIndent = 8;

/** A line break inside encoded data, as it is or as JSON escapes it; indented or not. */
const wrap = new RegExp(
  `(?<=[\\w+/=-])(?:\\r?\\n|(?:\\\\r)?\\\\n)[ \\t]{0,${longestIndent}}(?=[\\w+/=-])`,
  "g",
);

/** Most characters that wrapping makes of one: a character, a break in its longest form, an indentation. */
export const longestWrapped = 1 + String.raw`\r\n`.length + longestIndent;

/**
 * Encoded data as programs wrap it: lines of base64 or hexadecimal digits, of any width. Null for
 * text that has no such break.
 */
export function unwrap(wrapped: string): Unwrapped | null {
  let text = "";
  let from = 0;
  /** Of each break: where it stood in the text without breaks, and how much was left out up to it. */
  const breaks: { readonly at: number; readonly left: number }[] = [];
  for (const { 0: found, index } of wrapped.matchAll(wrap)) {
    text += wrapped.slice(from, index);
    from = index + found.length;
    breaks.push({ at: text.length, left: from - text.length });
  }
  if (breaks.length === 0) return null;
  const leftBefore = (at: number): number => breaks[lastAt(breaks, at)]?.left ?? 0;
  return {
    text: text + wrapped.slice(from),
    place(start, length) {
      const last = start + length - 1;
      const before = leftBefore(start);
      const after = leftBefore(last);
      return before === after ? null : { start: start + before, end: last + after + 1 };
    },
  };
}

/** Index of the last break at or before `at`; -1 where there is none. */
function lastAt(breaks: readonly { readonly at: number }[], at: number): number {
  let low = 0;
  let high = breaks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((breaks[middle]?.at ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
