/** A multiple of 3, so that the pieces' base64 can be joined; small enough for an argument list. */
const pieceBytes = 0x6000;

/** Base64 of the text's UTF-8 form. */
export function base64OfText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let base64 = "";
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    base64 += btoa(latin1(bytes.subarray(start, start + pieceBytes)));
  }
  return base64;
}

/** How many bytes a text in base64 stands for. */
export function bytesOfBase64(base64: string): number {
  return Math.floor((base64.replace(/[=\r\n]+/g, "").length * 3) / 4);
}

/** One character a byte, as btoa wants it. */
function latin1(bytes: Uint8Array): string {
  const text: unknown = Reflect.apply(String.fromCharCode, undefined, bytes);
  return String(text);
}
