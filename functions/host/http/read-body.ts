import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/**
 * Reads a request's body to its end.
 * @throws GatewayError BODY_TOO_LARGE as soon as the limit is passed, MEDIA_TYPE_UNSUPPORTED for
 * an encoded body (its inflated size would escape the limit).
 */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  if ((request.headers.get("content-encoding") ?? "identity") !== "identity") {
    throw new GatewayError("MEDIA_TYPE_UNSUPPORTED", "The request body is encoded; send it plain.");
  }
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = request.body;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError("BODY_TOO_LARGE", `The request body is larger than ${maxBytes} bytes.`, {
    details: { limit_bytes: maxBytes },
  });
}
