import { GatewayError } from "../../shared/errors/gateway-error.ts";

/**
 * The non-empty lines of an NDJSON stream, decoded as UTF-8.
 * @throws GatewayError RESPONSE_TOO_LARGE for a line above `maxLineBytes`; the stream is cancelled
 * when the reader stops early.
 */
export async function* readLines(
  stream: ReadableStream<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let parts: string[] = [];
  let pending = 0;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      pending += value.byteLength;
      const pieces = decoder.decode(value, { stream: true }).split("\n");
      const last = pieces.pop() ?? "";
      for (const piece of pieces) {
        const line = [...parts, piece].join("");
        parts = [];
        if (line.trim() !== "") yield line;
      }
      if (pieces.length > 0) pending = last.length;
      parts.push(last);
      if (pending > maxLineBytes) {
        throw new GatewayError("RESPONSE_TOO_LARGE", "The host sent a line above the limit.", {
          executed: "maybe",
          details: { limit_bytes: maxLineBytes },
        });
      }
    }
    const rest = parts.join("");
    if (rest.trim() !== "") yield rest;
  } finally {
    await reader.cancel().catch(() => undefined); // already closed or errored: nothing to release
  }
}
