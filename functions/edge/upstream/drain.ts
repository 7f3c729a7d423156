import { bodyOf } from "./http-response.ts";

/** A body that is only an acknowledgement is shorter, bytes. */
const maxBytes = 16 * 1024;

/**
 * Reads a body that says nothing to its end, so that its connection can carry the next request;
 * a body that is cancelled costs the connection. Lets go of a long one. Never rejects.
 */
export async function drain(response: Response): Promise<void> {
  try {
    if (isShort(response)) return void (await response.arrayBuffer());
    const reader = bodyOf(response)?.getReader();
    if (reader === undefined) return;
    for (let bytes = 0; bytes <= maxBytes;) {
      const { done, value } = await reader.read();
      if (done) return;
      bytes += value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The connection is lost: there is nothing left to save.
  }
}

/** Its own bytes are few by its word, which holds: HTTP carries no more. */
function isShort({ headers }: Response): boolean {
  const length = Number(headers.get("content-length") ?? Number.NaN);
  return length <= maxBytes && !headers.has("content-encoding");
}
