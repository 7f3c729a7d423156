import { createFinder } from "./find-secrets.ts";
import { readNestedJson } from "./nested-json.ts";
import { mapStrings } from "./map-strings.ts";
import { maskText } from "./mask-text.ts";
import { createRedactStream, type RedactStream } from "./redact-stream.ts";

const defaultShortest = 4;
/** Texts that are JSON inside texts that are JSON: each level is read once more. */
const deepestText = 4;

interface Redacted {
  readonly text: string;
  readonly count: number;
}

/** Replaces known secret values in text. Holds the values; never log or serialise it. */
export interface Redactor {
  /** `text` with every known value replaced by its label. */
  text(text: string): string;
  /**
   * A copy of JSON data with every string (keys too) redacted, and how many replacements were
   * made. A number that spells a value becomes a string.
   */
  data<Data>(data: Data): { readonly data: Data; readonly count: number };
  /** Redacts text that arrives in pieces as `text` redacts the whole, JSON texts inside it apart. */
  stream(): RedactStream;
}

export interface RedactorOptions {
  /** What stands in a value's place. Default `[secret NAME]`. */
  readonly label?: (name: string) => string;
  /**
   * Values shorter than this are not searched for, since they would mask ordinary text, UTF-16
   * code units. Default 4; at least 1.
   */
  readonly shortest?: number;
}

/**
 * A redactor for the values of one request, by name. A value is found as it is, in hexadecimal,
 * base64 and base64url (alone or inside longer encoded data, also wrapped into lines),
 * percent-encoded, and escaped as in JSON or by `\u`, in any mixture, and inside texts that are
 * JSON themselves, up to four levels.
 * What is not promised: values cut into several strings, compressed, encrypted, or encoded twice
 * otherwise than as JSON in JSON or a URL in a URL.
 */
export function createRedactor(
  values: ReadonlyMap<string, string>,
  options: RedactorOptions = {},
): Redactor {
  const { shortest = defaultShortest } = options;
  const searched = new Map([...values].filter(([, value]) => value.length >= shortest));
  const finder = createFinder(searched);
  const label = options.label ?? ((name: string) => `[secret ${name}]`);
  const hasNumbers = [...searched.values()].some(isNumber);
  const rounded = roundedNumbers(searched);

  function redact(text: string, depth = 0): Redacted {
    const { text: masked, count } = redactSurface(text);
    const nested = depth < deepestText ? readNestedJson(masked) : undefined;
    if (nested === undefined) return { text: masked, count };
    let inside = 0;
    const copy = mapStrings(nested, (inner) => {
      const redacted = redact(inner, depth + 1);
      inside += redacted.count;
      return redacted.text;
    });
    return inside === 0
      ? { text: masked, count }
      : { text: JSON.stringify(copy), count: count + inside };
  }

  function redactSurface(text: string): Redacted {
    if (text.length < shortest) return { text, count: 0 };
    const matches = finder.find(text);
    if (matches.length === 0) return { text, count: 0 };
    return maskText(text, matches, { from: 0, end: text.length }, label);
  }

  return {
    text: (text) => (searched.size === 0 ? text : redact(text).text),
    data<Data>(data: Data) {
      if (searched.size === 0) return { data, count: 0 };
      let count = 0;
      const mask = (text: string): string => {
        const masked = redact(text);
        count += masked.count;
        return masked.text;
      };
      const maskNumber = (number: number): unknown => {
        const name = rounded.get(number);
        if (name === undefined)
          return redact(String(number)).count === 0 ? number : mask(String(number));
        count += 1;
        return label(name);
      };
      const copy = mapStrings(data, mask, hasNumbers ? maskNumber : undefined);
      return { data: copy as Data, count };
    },
    stream: () => createRedactStream(finder, label),
  };
}

/**
 * Names of values that are numbers of more digits than a double holds, by the double that reading
 * them as JSON makes: no spelling of it is the value any more.
 */
function roundedNumbers(values: ReadonlyMap<string, string>): ReadonlyMap<number, string> {
  const long = [...values].filter(([, value]) => isNumber(value) && digitsOf(value) > 15);
  return new Map(long.map(([name, value]) => [Number(value), name]));
}

function isNumber(value: string): boolean {
  return !/[^-+.e\d]/.test(value);
}

/** How many digits count: all but those of the exponent and leading zeros. */
function digitsOf(value: string): number {
  return value.replace(/e.*/, "").replaceAll(/\D/g, "").replace(/^0+/, "").length;
}
