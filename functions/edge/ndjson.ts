import { GatewayError } from "../../shared/errors/gateway-error.ts";

/**
 * Hands the non-empty lines of an NDJSON stream, decoded as UTF-8, to `onLine` until it answers
 * something; that is the outcome, and the rest of the stream is cancelled. Undefined = the stream
 * ended before.
 * @throws GatewayError RESPONSE_TOO_LARGE for a line above `maxLineBytes`, and what `onLine` throws
 */
export async function readLines<Outcome>(
  stream: ReadableStream<Uint8Array>,
  maxLineBytes: number,
  onLine: (line: string) => Outcome | undefined,
): Promise<Outcome | undefined> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let parts: string[] = [];
  let pending = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      pending += read.value.byteLength;
      const pieces = decoder.decode(read.value, { stream: true }).split("\n");
      const last = pieces.pop() ?? "";
      for (const piece of pieces) {
        const line = parts.length === 0 ? piece : parts.join("") + piece;
        parts = [];
        const outcome = line.trim() === "" ? undefined : onLine(line);
        if (outcome !== undefined) return outcome;
      }
      if (pieces.length > 0) pending = last.length;
      if (last !== "") parts.push(last);
      if (pending > maxLineBytes) {
        throw new GatewayError("RESPONSE_TOO_LARGE", "The host sent a line above the limit.", {
          executed: "maybe",
          details: { limit_bytes: maxLineBytes },
        });
      }
    }
    const rest = parts.join("");
    return rest.trim() === "" ? undefined : onLine(rest);
  } finally {
    await reader.cancel().catch(() => undefined); // already closed or errored: nothing to release
  }
}
