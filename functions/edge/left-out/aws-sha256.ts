const encoder = new TextEncoder();

/** Stands in for the AWS SDK's SHA-256 and HMAC, which carry a copy without WebCrypto. */
export class Sha256 {
  readonly #secret: Uint8Array<ArrayBuffer> | null;
  readonly #parts: Uint8Array<ArrayBuffer>[] = [];

  /** With a secret it is an HMAC. */
  constructor(secret?: string | Uint8Array) {
    this.#secret = secret === undefined ? null : bytesOf(secret);
  }

  update(data: string | Uint8Array): void {
    this.#parts.push(bytesOf(data));
  }

  async digest(): Promise<Uint8Array> {
    const data = await new Blob(this.#parts).arrayBuffer();
    if (this.#secret === null) return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("raw", this.#secret, algorithm, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
  }
}

/** A copy: the caller may go on with its buffer. */
function bytesOf(data: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(typeof data === "string" ? encoder.encode(data) : data);
}
