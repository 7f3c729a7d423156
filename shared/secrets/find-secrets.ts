import {
  type EscapedValue,
  escapedUnit,
  escapedValue,
  isEscapeStart,
  longestEscape,
  matchEscaped,
} from "./match-escaped.ts";
import { shortestEncoding, spellings } from "./spellings.ts";
import { longestWrapped, unwrap } from "./unwrap.ts";

/** One place where text spells a value. */
export interface SecretMatch {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

export interface SecretFinder {
  /** Length of the longest text that one match can cover, UTF-16 code units; 0 without values. */
  readonly longestMatch: number;
  /**
   * Every place, also where places overlap; by start, the longest first. Whether a place is found
   * never hangs on the text around it. Linear in the text for values that do not repeat themselves.
   */
  find(text: string): SecretMatch[];
}

interface Needle {
  readonly name: string;
  readonly spelling: string;
}

interface Escaped {
  readonly name: string;
  readonly value: EscapedValue;
}

const asciiCodes = 128;
const none: readonly Escaped[] = [];

export function createFinder(values: ReadonlyMap<string, string>): SecretFinder {
  const needles = [...values].flatMap(([name, value]) =>
    [...spellings(value)].map((spelling): Needle => ({ name, spelling })),
  );
  const wrappable = needles.filter(({ spelling }) => isWrappable(spelling));
  const longestMatch = Math.max(
    0,
    ...needles.map(({ spelling }) => spelling.length),
    ...wrappable.map(({ spelling }) => spelling.length * longestWrapped),
    ...[...values.values()].map((value) => value.length * longestEscape),
  );
  const escaped = createEscapedFinder(values);
  return {
    longestMatch,
    find(text) {
      const matches: SecretMatch[] = [];
      for (const needle of needles) findNeedle(text, needle, matches);
      findWrapped(text, wrappable, matches);
      escaped(text, matches);
      return matches.sort((a, b) => a.start - b.start || b.end - a.end);
    },
  };
}

function findNeedle(text: string, { name, spelling }: Needle, matches: SecretMatch[]): void {
  for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + 1)) {
    matches.push({ start: at, end: at + spelling.length, name });
  }
}

/** Digits of an encoding, or a value that has no others: too long to stand on several lines by chance. */
function isWrappable(spelling: string): boolean {
  return spelling.length >= shortestEncoding && /^[\w+/=-]+$/.test(spelling);
}

/** What stands on one line is found as it is. */
function findWrapped(text: string, needles: readonly Needle[], matches: SecretMatch[]): void {
  const unwrapped = unwrap(text);
  if (unwrapped === null) return;
  const found: SecretMatch[] = [];
  for (const needle of needles) findNeedle(unwrapped.text, needle, found);
  for (const { start, end, name } of found) {
    const place = unwrapped.place(start, end - start);
    if (place !== null) matches.push({ ...place, name });
  }
}

/** Tries a value only where its first character stands, raw or escaped, in text that has escapes. */
function createEscapedFinder(values: ReadonlyMap<string, string>) {
  const all = [...values].map(([name, value]): Escaped => ({ name, value: escapedValue(value) }));
  const byFirst = Map.groupBy(all, ({ value }) => value[0]?.raw.charCodeAt(0) ?? -1);
  const mayStart: boolean[] = [];
  for (let code = 0; code < asciiCodes; code += 1) {
    mayStart.push(byFirst.has(code) || isEscapeStart(code));
  }
  // Base64 is full of `+`: a sign of escapes only where a value has spaces.
  const hasSpaces = [...values.values()].some((value) => value.includes(" "));
  const signs = hasSpaces ? ["%", "\\", "+"] : ["%", "\\"];

  function candidates(text: string, at: number): readonly Escaped[] {
    const code = text.charCodeAt(at);
    const raw = byFirst.get(code) ?? none;
    const unit = isEscapeStart(code) ? escapedUnit(text, at) : -1;
    if (unit === null) return all;
    const escaped = unit === code ? none : (byFirst.get(unit) ?? none);
    return escaped.length === 0 ? raw : [...escaped, ...raw];
  }

  return (text: string, matches: SecretMatch[]): void => {
    if (!signs.some((sign) => text.includes(sign))) return;
    for (let start = 0; start < text.length; start += 1) {
      if (mayStart[text.charCodeAt(start)] === false) continue;
      for (const { name, value } of candidates(text, start)) {
        const end = matchEscaped(text, start, value);
        if (end !== -1) matches.push({ start, end, name });
      }
    }
  };
}
