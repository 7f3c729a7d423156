/** A multiple of 3, so that the pieces' base64 can be joined; small enough for an argument list. */
const pieceBytes = 0x6000;

/**
 * `text` decodes by the forgiving rule that MCP's own SDKs apply (WHATWG infra, "forgiving-base64
 * decode"): padding may be left out, ASCII white space is skipped. Linear and without decoding:
 * the text may be some megabytes.
 */
export function isBase64(text: string): boolean {
  const packed = /[\t\n\f\r ]/.test(text) ? text.replace(/[\t\n\f\r ]+/g, "") : text;
  const tail = packed.search(/[^A-Za-z0-9+/]/);
  if (tail === -1) return packed.length % 4 !== 1;
  return packed.length % 4 === 0 && /^={1,2}$/.test(packed.slice(tail));
}

/** Base64 of the text's UTF-8 form. */
export function base64OfText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let base64 = "";
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    base64 += btoa(latin1(bytes.subarray(start, start + pieceBytes)));
  }
  return base64;
}

/** One character a byte, as btoa wants it. */
function latin1(bytes: Uint8Array): string {
  return Reflect.apply(String.fromCharCode, undefined, bytes);
}
