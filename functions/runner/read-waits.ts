/** More than a result's `waits_ms` and what may follow it take. */
const tailBytes = 256;
/**
 * The end of a `result` event whose `waits_ms` is its last member: what is closed after it is the
 * event itself, so that nothing which a server has written can look like it.
 */
const waits = /"waits_ms":(\d{1,7})\}\s*$/;

/** Sees a run's events pass by; the result may be larger than what is worth keeping of it. */
export class WaitsReader {
  readonly #decoder = new TextDecoder();
  #tail = "";

  chunk(chunk: Uint8Array): void {
    const text = this.#decoder.decode(chunk.subarray(-tailBytes));
    this.#tail = (this.#tail + text).slice(-tailBytes);
  }

  /** How long the call waits for its caller, by the events so far; 0 = it does not. */
  get waitsMs(): number {
    return Number(waits.exec(this.#tail)?.[1] ?? 0);
  }
}
