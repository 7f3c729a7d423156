/** The order of a unit's two bytes; `bom` = as the byte order mark at the beginning says, else little-endian. */
export type ByteOrder = "le" | "be" | "bom";

/** A byte that UTF-8 never has: whoever decodes the line strictly refuses it. */
const notUtf8 = Buffer.of(0xff);

/**
 * Opens a reader that makes a stream of UTF-16 the same text in UTF-8, however it is cut into
 * chunks. Half a surrogate pair becomes a byte that is not UTF-8.
 */
export function readUtf16(order: ByteOrder): (chunk: Uint8Array) => Uint8Array {
  let known = order;
  let rest = Buffer.alloc(0);
  return (chunk) => {
    const bytes = Buffer.concat([rest, chunk]);
    if (known === "bom" && bytes.length > 1) known = orderOf(bytes);
    const length = wholeLength(bytes, known);
    rest = Buffer.from(bytes.subarray(length));
    const whole = bytes.subarray(0, length);
    return toUtf8((known === "be" ? whole.swap16() : whole).toString("utf16le"));
  };
}

/** The mark itself is left in the text, where it is white space of the line. */
function orderOf(bytes: Buffer): ByteOrder {
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "be" : "le";
}

/** Bytes of whole units, without the first half of a surrogate pair at the end. */
function wholeLength(bytes: Buffer, order: ByteOrder): number {
  const length = bytes.length - (bytes.length % 2);
  const high = bytes[length - (order === "be" ? 2 : 1)] ?? 0;
  return length > 0 && high >= 0xd8 && high <= 0xdb ? length - 2 : length;
}

function toUtf8(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const parts = text.split(/\p{Surrogate}/u).map((part) => Buffer.from(part));
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [notUtf8, part])));
}
