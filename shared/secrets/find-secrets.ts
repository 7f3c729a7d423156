import {
  type EscapedValue,
  escapedUnit,
  escapedValue,
  isEscapeStart,
  longestEscape,
  matchEscaped,
} from "./match-escaped.ts";
import { spellings } from "./spellings.ts";

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
  const longestMatch = Math.max(
    0,
    ...needles.map(({ spelling }) => spelling.length),
    ...[...values.values()].map((value) => value.length * longestEscape),
  );
  const escaped = createEscapedFinder(values);
  return {
    longestMatch,
    find(text) {
      const matches: SecretMatch[] = [];
      for (const needle of needles) findNeedle(text, needle, matches);
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
