/** Values shorter than this are not searched for: they would mask ordinary text. */
const shortestValue = 4;

/** Replaces known secret values in text. Holds the values; never log or serialise it. */
export interface Redactor {
  /** `text` with every known value replaced by `[secret NAME]`. */
  text(text: string): string;
  /** A copy of JSON data with every string (keys too) redacted, and how many replacements were made. */
  data<Data>(data: Data): { readonly data: Data; readonly count: number };
}

/**
 * A redactor for the values of one request, by name. Each value is searched for as it is and in
 * the spellings that text commonly gives it: JSON-escaped, percent-encoded, base64 and base64url.
 */
export function createRedactor(values: ReadonlyMap<string, string>): Redactor {
  const needles = [...values]
    .filter(([, value]) => value.length >= shortestValue)
    .flatMap(([name, value]) => spellings(value).map((spelling) => ({ name, spelling })))
    .sort((a, b) => b.spelling.length - a.spelling.length);

  function replace(text: string): { text: string; count: number } {
    let count = 0;
    let redacted = text;
    for (const { name, spelling } of needles) {
      if (!redacted.includes(spelling)) continue;
      const parts = redacted.split(spelling);
      count += parts.length - 1;
      redacted = parts.join(`[secret ${name}]`);
    }
    return { text: redacted, count };
  }

  return {
    text: (text) => replace(text).text,
    data<Data>(data: Data) {
      if (needles.length === 0) return { data, count: 0 };
      let count = 0;
      const redacted = mapStrings(data, (text) => {
        const replaced = replace(text);
        count += replaced.count;
        return replaced.text;
      });
      return { data: redacted as Data, count };
    },
  };
}

function spellings(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const unpadded = base64.replace(/=+$/, "");
  return [
    ...new Set([
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value),
      unpadded,
      unpadded.replaceAll("+", "-").replaceAll("/", "_"),
    ]),
  ];
}

function mapStrings(data: unknown, map: (text: string) => string): unknown {
  if (typeof data === "string") return map(data);
  if (Array.isArray(data)) return data.map((item) => mapStrings(item, map));
  if (data === null || typeof data !== "object") return data;
  return Object.fromEntries(Object.entries(data).map(([key, item]) => [map(key), mapStrings(item, map)]));
}
