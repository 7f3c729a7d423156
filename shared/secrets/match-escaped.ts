/** One character of a value in the forms that escaped text gives it. */
interface EscapedCharacter {
  readonly raw: string;
  /** UTF-8, for percent-encoding. */
  readonly bytes: readonly number[];
}

/** A value made ready for `matchEscaped`. */
export type EscapedValue = readonly EscapedCharacter[];

/** Length of the longest one-level escape of one UTF-16 code unit: `%E2%82%AC`. */
export const longestEscape = 9;

const space = 0x20;
const percent = 0x25;
const plus = 0x2b;
const backslash = 0x5c;
const letterU = 0x75;

/** What one character after a backslash writes, by code unit. */
const shortEscapes: ReadonlyMap<number, number> = new Map(
  ["b\b", "f\f", "n\n", "r\r", "t\t", "v\v", "0\0", '""', "''", "//", "\\\\"].map((pair) => [
    pair.charCodeAt(0),
    pair.charCodeAt(1),
  ]),
);

const encoder = new TextEncoder();

const asciiCharacters: readonly EscapedCharacter[] = Array.from({ length: 0x80 }, (_, code) => ({
  raw: String.fromCharCode(code),
  bytes: [code],
}));

export function escapedValue(value: string): EscapedValue {
  const characters: EscapedCharacter[] = [];
  for (const raw of value) {
    const code = raw.charCodeAt(0);
    const ascii = asciiCharacters[code];
    characters.push(ascii ?? { raw, bytes: [...encoder.encode(raw)] });
  }
  return characters;
}

/** Whether an escape can begin with this code unit. */
export function isEscapeStart(code: number): boolean {
  return code === percent || code === backslash || code === plus;
}

/**
 * The code unit that an escape at `at` writes, or begins with; -1 where no escape stands, and
 * `null` where only the value can tell (percent-encoding beyond ASCII).
 */
export function escapedUnit(text: string, at: number): number | null {
  const code = text.charCodeAt(at);
  if (code === plus) return space;
  if (code === percent) {
    const byte = readHex(text, at + 1, 2);
    return byte < 0x80 ? byte : null;
  }
  if (code !== backslash) return -1;
  if (text.charCodeAt(at + 1) === letterU) return readHex(text, at + 2, 4);
  return shortEscapes.get(text.charCodeAt(at + 1)) ?? -1;
}

/**
 * Where the value ends if it stands in `text` at `start` with any of its characters as they are,
 * percent-encoded, `\u`-escaped (hexadecimal digits in either case), escaped as JSON does or as
 * the `+` of a form; -1 if it does not. Needs no look at what stands before `start`.
 */
export function matchEscaped(text: string, start: number, value: EscapedValue): number {
  let at = start;
  for (const character of value) {
    at = matchCharacter(text, at, character);
    if (at === -1) return -1;
  }
  return at;
}

function matchCharacter(text: string, at: number, { raw, bytes }: EscapedCharacter): number {
  const code = text.charCodeAt(at);
  const escaped =
    code === percent
      ? matchPercent(text, at, bytes)
      : code === backslash
        ? matchBackslash(text, at, raw)
        : -1;
  if (escaped !== -1) return escaped;
  if (text.startsWith(raw, at)) return at + raw.length;
  return code === plus && raw === " " ? at + 1 : -1;
}

function matchPercent(text: string, start: number, bytes: readonly number[]): number {
  let at = start;
  for (const byte of bytes) {
    if (text.charCodeAt(at) !== percent || readHex(text, at + 1, 2) !== byte) return -1;
    at += 3;
  }
  return at;
}

function matchBackslash(text: string, start: number, raw: string): number {
  if (text.charCodeAt(start + 1) !== letterU) {
    return shortEscapes.get(text.charCodeAt(start + 1)) === raw.charCodeAt(0) ? start + 2 : -1;
  }
  let at = start;
  for (let unit = 0; unit < raw.length; unit += 1) {
    const isEscape = text.charCodeAt(at) === backslash && text.charCodeAt(at + 1) === letterU;
    if (!isEscape || readHex(text, at + 2, 4) !== raw.charCodeAt(unit)) return -1;
    at += 6;
  }
  return at;
}

/** The number that `length` hexadecimal digits at `at` write; -1 where there is another character. */
function readHex(text: string, at: number, length: number): number {
  let number = 0;
  for (let index = at; index < at + length; index += 1) {
    const digit = hexDigit(text.charCodeAt(index));
    if (digit === -1) return -1;
    number = number * 16 + digit;
  }
  return number;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
