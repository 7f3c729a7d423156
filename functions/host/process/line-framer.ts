import { IdScanner } from "./id-scanner.ts";

const newline = 0x0a;
/** A line this many times above the limit is no answer but a flood; it is not waited for. */
const floodFactor = 8;

/** What the bytes of a server's stdout hold. */
export type Frame =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  /** A line above the limit, dropped; `id` is whose answer it was, if it could be read. */
  | {
      readonly kind: "oversize";
      readonly id: string | number | null;
      readonly isAnswer: boolean;
      readonly limitBytes: number;
    }
  /** A line without an end; nothing after it can be read. */
  | { readonly kind: "flood"; readonly limitBytes: number };

/** Splits a byte stream at line feeds, holding at most one line of the limit's size in memory. */
export class LineFramer {
  /** Bytes; may change between lines. */
  maxBytes: number;
  #parts: Uint8Array[] = [];
  #length = 0;
  #scanner: IdScanner | undefined;
  #flooded = false;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** The frames that end in `chunk`, in order. */
  push(chunk: Uint8Array): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    while (!this.#flooded) {
      const end = chunk.indexOf(newline, start);
      if (end === -1) break;
      this.#append(chunk.subarray(start, end));
      frames.push(this.#take());
      start = end + 1;
    }
    this.#append(chunk.subarray(start));
    if (!this.#flooded && this.#length > this.maxBytes * floodFactor) {
      this.#flooded = true;
      frames.push({ kind: "flood", limitBytes: this.maxBytes });
    }
    return frames;
  }

  /** What stands after the last line feed once the stream has ended. */
  rest(): Frame[] {
    return this.#length === 0 || this.#flooded ? [] : [this.#take()];
  }

  #append(part: Uint8Array): void {
    if (part.length === 0 || this.#flooded) return;
    this.#length += part.length;
    if (this.#length > this.maxBytes) this.#startScanning();
    if (this.#scanner === undefined) this.#parts.push(part);
    else this.#scanner.push(part);
  }

  #startScanning(): void {
    if (this.#scanner !== undefined) return;
    this.#scanner = new IdScanner();
    for (const part of this.#parts) this.#scanner.push(part);
    this.#parts = [];
  }

  #take(): Frame {
    const scanner = this.#scanner;
    const frame: Frame =
      scanner === undefined
        ? { kind: "line", bytes: Buffer.concat(this.#parts) }
        : {
            kind: "oversize",
            id: scanner.id(),
            isAnswer: scanner.isAnswer(),
            limitBytes: this.maxBytes,
          };
    this.#parts = [];
    this.#length = 0;
    this.#scanner = undefined;
    return frame;
  }
}
