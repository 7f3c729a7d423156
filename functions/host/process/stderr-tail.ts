import { stripVTControlCharacters } from "node:util";
import type { Redact } from "./redact.ts";

const keptBytes = 64 * 1024;
/** Far below `keptBytes`: where the ring cuts, half a secret could escape redaction. */
const toldCharacters = 4096;

/** The end of what a process printed to stderr, in bounded memory. */
export class StderrTail {
  #chunks: Buffer[] = [];
  #length = 0;

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length > 2 * keptBytes) this.#compact();
  }

  /** The last 4,096 characters, with values masked and control characters removed. */
  read(redact: Redact): string {
    const text = redact(Buffer.concat(this.#chunks).toString("utf8"));
    return withoutControls(text).slice(-toldCharacters).trim();
  }

  #compact(): void {
    const whole = Buffer.concat(this.#chunks);
    this.#chunks = [Buffer.from(whole.subarray(whole.length - keptBytes))];
    this.#length = keptBytes;
  }
}

/** Colours and cursor moves would act on the terminal of whoever reads the error. */
function withoutControls(text: string): string {
  return stripVTControlCharacters(text).replace(/[^\P{Cc}\t\n]/gu, "");
}
