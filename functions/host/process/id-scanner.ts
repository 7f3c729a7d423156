const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openers = new Set([0x7b, 0x5b]);
const closers = new Set([0x7d, 0x5d]);
/** Longer ids than ours are no ids of ours. */
const maxTokenBytes = 64;

/**
 * Finds the top-level `id` of a JSON object that passes by in pieces, without keeping the object:
 * a frame that is too large to read still tells whose answer it is.
 */
export class IdScanner {
  #depth = 0;
  #inString = false;
  #escaped = false;
  #token = "";
  #key = "";
  #id: string | undefined;
  #method = false;

  push(bytes: Uint8Array): void {
    for (const byte of bytes) this.#step(byte);
  }

  /** False for a request or notification of the server's own: no call waits for it. */
  isAnswer(): boolean {
    return !this.#method;
  }

  /** The id, or null when there was none that we could have sent. */
  id(): string | number | null {
    if (this.#id === undefined) return null;
    try {
      const id: unknown = JSON.parse(this.#id);
      return typeof id === "string" || typeof id === "number" ? id : null;
    } catch {
      return null; // Cut short by the token limit, or no JSON.
    }
  }

  #step(byte: number): void {
    if (this.#inString) this.#stepInString(byte);
    else if (openers.has(byte)) this.#depth += 1;
    else if (closers.has(byte)) this.#close();
    else if (this.#depth === 1) this.#stepAtTop(byte);
    else if (byte === quote) this.#inString = true;
  }

  #stepInString(byte: number): void {
    this.#keep(byte);
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) this.#inString = false;
  }

  #stepAtTop(byte: number): void {
    if (byte === quote) this.#inString = true;
    if (byte === colon) this.#endKey();
    else if (byte === comma) this.#endMember();
    else this.#keep(byte);
  }

  #close(): void {
    if (this.#depth === 1) this.#endMember();
    this.#depth -= 1;
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length < maxTokenBytes)
      this.#token += String.fromCharCode(byte);
  }

  #endKey(): void {
    this.#key = this.#token.trim();
    this.#token = "";
  }

  #endMember(): void {
    if (this.#key === '"id"') this.#id ??= this.#token.trim();
    if (this.#key === '"method"') this.#method = true;
    this.#key = "";
    this.#token = "";
  }
}
