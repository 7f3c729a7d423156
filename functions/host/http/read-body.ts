import type { IncomingMessage } from "node:http";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/**
 * Reads a request's body to its end.
 * @throws GatewayError BODY_TOO_LARGE as soon as the limit is passed, MEDIA_TYPE_UNSUPPORTED for
 * an encoded body (its inflated size would escape the limit).
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const { "content-encoding": encoding, "content-length": told } = request.headers;
  if ((encoding ?? "identity") !== "identity") {
    throw new GatewayError("MEDIA_TYPE_UNSUPPORTED", "The request body is encoded; send it plain.");
  }
  if (Number(told ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    request.on("data", (chunk: Uint8Array) => {
      length += chunk.byteLength;
      if (length > maxBytes) reject(tooLarge(maxBytes));
      else chunks.push(chunk);
    });
    request.once("end", () => resolve(Buffer.concat(chunks, length)));
    request.once("error", () => reject(new GatewayError("CANCELLED", "The caller went away.")));
  });
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError("BODY_TOO_LARGE", `The request body is larger than ${maxBytes} bytes.`, {
    details: { limit_bytes: maxBytes },
  });
}
