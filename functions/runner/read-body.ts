import { GatewayError } from "../../shared/errors/gateway-error.ts";

/** As large as a host takes it by default. */
const maxBytes = 4 * 1024 * 1024;

/** @throws GatewayError BODY_TOO_LARGE as soon as the limit is passed */
export async function readBody(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const body: AsyncIterable<Uint8Array> | null = request.body;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw new GatewayError("BODY_TOO_LARGE", `A run is larger than ${maxBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
