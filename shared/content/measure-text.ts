/** The beginning of a text up to `end`, and what it takes. */
export interface TextMeasure {
  /** Index in UTF-16 units, never inside a surrogate pair. */
  readonly end: number;
  readonly utf8Bytes: number;
  /** Bytes inside a JSON string in UTF-8: escapes counted, quotes not. */
  readonly jsonBytes: number;
}

/**
 * Measures the longest beginning of `text` whose JSON form takes at most `maxJsonBytes`, in whole
 * characters (code points). Without a limit it measures the whole text. Linear, allocates nothing.
 */
export function measureText(text: string, maxJsonBytes = Infinity): TextMeasure {
  let end = 0;
  let utf8Bytes = 0;
  let jsonBytes = 0;
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    const json = jsonBytesOf(code);
    if (jsonBytes + json > maxJsonBytes) break;
    jsonBytes += json;
    utf8Bytes += utf8BytesOf(code);
    end += code > 0xffff ? 2 : 1;
  }
  return { end, utf8Bytes, jsonBytes };
}

/** Bytes that `value` (JSON data) takes as JSON text in UTF-8. */
export function jsonBytesOfValue(value: unknown): number {
  return measureText(JSON.stringify(value) ?? "").utf8Bytes;
}

function utf8BytesOf(code: number): number {
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}

/** `\b \t \n \f \r` */
const shortEscapes = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

/** JSON.stringify writes `\n` and the like in two, other controls and lone surrogates in six bytes. */
function jsonBytesOf(code: number): number {
  if (code >= 0x20 && code < 0x80) return code === 0x22 || code === 0x5c ? 2 : 1;
  if (code < 0x20) return shortEscapes.has(code) ? 2 : 6;
  return code >= 0xd800 && code <= 0xdfff ? 6 : utf8BytesOf(code);
}
