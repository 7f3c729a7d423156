import type { IncomingMessage } from "node:http";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { BodyRoom } from "./body-room.ts";

export interface BodyLimits {
  readonly maxBytes: number;
  /** What it shares with the others that are being received. */
  readonly room: BodyRoom;
}

/**
 * Reads a request's body to its end.
 * @throws GatewayError BODY_TOO_LARGE as soon as the limit is passed, CAPACITY when too much is
 * being received, MEDIA_TYPE_UNSUPPORTED for an encoded body (its inflated size would escape the
 * limit), CANCELLED when the caller breaks off.
 */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, room }: BodyLimits,
): Promise<Uint8Array> {
  const { "content-encoding": encoding, "content-length": told } = request.headers;
  if ((encoding ?? "identity") !== "identity") {
    throw new GatewayError("MEDIA_TYPE_UNSUPPORTED", "The request body is encoded; send it plain.");
  }
  if (Number(told ?? 0) > maxBytes) throw tooLarge(maxBytes);
  using place = room.enter();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const take = (chunk: Uint8Array): void => {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    place.add(chunk.byteLength);
    chunks.push(chunk);
  };
  await received(request, take);
  return Buffer.concat(chunks, length);
}

/** What comes after `take` has refused a chunk is not kept. */
function received(request: IncomingMessage, take: (chunk: Uint8Array) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onData = (chunk: Uint8Array): void => {
    try {
      take(chunk);
    } catch (error) {
      request.off("data", onData);
      reject(error);
    }
  };
  request.on("data", onData);
  request.once("end", resolve);
  request.once("error", () => reject(new GatewayError("CANCELLED", "The caller went away.")));
  return promise;
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError("BODY_TOO_LARGE", `The request body is larger than ${maxBytes} bytes.`, {
    details: { limit_bytes: maxBytes },
  });
}
