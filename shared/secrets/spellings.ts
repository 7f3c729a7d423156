/** Base64 pieces and hex shorter than this occur in images and ids by chance. */
export const shortestEncoding = 8;

const base64Offsets = [0, 1, 2] as const;

/**
 * The fixed spellings of a value that text may hold: as it is, hexadecimal in both cases, base64
 * and base64url at each of the three places that it can have in longer encoded data, and the
 * escapes of escapes (JSON in JSON, a URL in a URL). One-level escapes have too many mixtures to
 * list: `matchEscaped` reads them.
 */
export function spellings(value: string): ReadonlySet<string> {
  const wellFormed = value.toWellFormed();
  const bytes = new TextEncoder().encode(wellFormed);
  const hex = toHex(bytes);
  const binary = toBinary(bytes);
  const alone = btoa(binary);
  const cores = base64Offsets.map((offset) => base64Core(binary, offset));
  const base64 = [alone, alone.replace(/=+$/, ""), ...cores];
  const encodings = [hex, hex.toUpperCase(), ...base64, ...base64.map((text) => toBase64Url(text))];
  return new Set([
    value,
    ...encodings.filter((text) => text.length >= shortestEncoding),
    jsonEscape(jsonEscape(value)),
    jsonEscape(asciiJsonEscape(value)),
    encodeURIComponent(encodeURIComponent(wellFormed)),
  ]);
}

/** Every byte in hexadecimal: made once, since each call of a server needs the digits of its values. */
const hexOfBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function toHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += hexOfBytes[byte];
  return hex;
}

/** A character for each byte, as `btoa` takes them. */
function toBinary(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return binary;
}

/**
 * The base64 digits that the bytes alone decide when `offset` (modulo 3) bytes stand before them
 * in the encoded data: the first and last digit may also hold bits of the neighbours.
 */
function base64Core(binary: string, offset: (typeof base64Offsets)[number]): string {
  const padded = "\0".repeat(offset) + binary;
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  return btoa(padded).slice(first, end);
}

function toBase64Url(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_");
}

function jsonEscape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function asciiJsonEscape(text: string): string {
  return jsonEscape(text).replaceAll(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
