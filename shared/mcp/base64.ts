const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * `data` as strict base64 (RFC 4648 §4, padded), or null when it is none. Line breaks, which
 * MIME encoders put in (RFC 2045 §6.8), are taken out.
 */
export function readBase64(data: unknown): string | null {
  if (typeof data !== "string") return null;
  const text = /[\r\n]/.test(data) ? data.replace(/[\r\n]+/g, "") : data;
  return text.length % 4 === 0 && alphabet.test(text) ? text : null;
}
