/** Base64 pieces and hex shorter than this occur in images and ids by chance. */
const shortestEncoding = 8;

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
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const alone = toBase64(bytes);
  const cores = base64Offsets.map((offset) => base64Core(bytes, offset));
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

/**
 * The base64 digits that the bytes alone decide when `offset` (modulo 3) bytes stand before them
 * in the encoded data: the first and last digit may also hold bits of the neighbours.
 */
function base64Core(bytes: Uint8Array, offset: (typeof base64Offsets)[number]): string {
  const padded = new Uint8Array(offset + bytes.length);
  padded.set(bytes, offset);
  const first = Math.ceil((offset * 8) / 6);
  const end = Math.floor((padded.length * 8) / 6);
  return toBase64(padded).slice(first, end);
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
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
