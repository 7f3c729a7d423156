import type { Writable } from "node:stream";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

interface StdinQueueOptions {
  /** Too many answers wait to be read: no further requests of the server are to be taken. */
  readonly onPressure: (exists: boolean) => void;
  /** The server does not read; nothing more is queued for it. Called once. */
  readonly onStuck: () => void;
  /** Milliseconds in which a server that waits for its answers must read one of them. */
  readonly stallMs?: number;
}

/** Answers to the server's own requests that may wait, as a number and in bytes. */
const maxAnswers = 256;
const maxAnswerBytes = 1024 * 1024;
/** Bytes of all frames that may wait; the frame that passes the bound is still taken. */
export const maxQueuedBytes = 32 * 1024 * 1024;
const defaultStallMs = 10_000;

/**
 * What is on its way into a server's stdin. A server that asks without reading its answers is
 * not listened to until it reads, and is given up when it never does: what waits is bounded.
 * Requests of callers wait freely up to `maxQueuedBytes`, since a busy server may read them late.
 */
export class StdinQueue {
  readonly #stdin: Writable;
  readonly #options: StdinQueueOptions;
  #answers = 0;
  #answerBytes = 0;
  #pressure = false;
  #stuck = false;
  #stall: NodeJS.Timeout | undefined;

  constructor(stdin: Writable, options: StdinQueueOptions) {
    this.#stdin = stdin;
    this.#options = options;
    stdin.on("error", () => {
      /* Each write tells its own failure. */
    });
  }

  /** Bytes that wait. */
  get queuedBytes(): number {
    return this.#stdin.writableLength;
  }

  /** Writes a frame: ASCII, or its bytes. @throws GatewayError CONNECTION_LOST when the server does not read. */
  async write(
    frame: string | Uint8Array,
    { isAnswer }: { readonly isAnswer: boolean },
  ): Promise<void> {
    if (this.queuedBytes > maxQueuedBytes) this.#giveUp();
    if (this.#stuck) throw notRead();
    if (!isAnswer) return this.#write(frame);
    this.#count(1, frame.length);
    try {
      await this.#write(frame);
    } finally {
      this.#count(-1, -frame.length);
    }
  }

  /** The process has ended: what waits is freed. */
  close(): void {
    clearTimeout(this.#stall);
    this.#stuck = true;
    this.#stdin.destroy();
  }

  #write(frame: string | Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#stdin.write(frame, (cause) => (cause ? reject(notRead(cause)) : resolve()));
    });
  }

  #count(answers: number, bytes: number): void {
    this.#answers += answers;
    this.#answerBytes += bytes;
    const pressure = this.#answers > maxAnswers || this.#answerBytes > maxAnswerBytes;
    const hasRead = answers < 0;
    if (pressure !== this.#pressure || hasRead) this.#watchStall(pressure);
    if (pressure === this.#pressure) return;
    this.#pressure = pressure;
    this.#options.onPressure(pressure);
  }

  /** Each answer that is read gives the server its time anew. */
  #watchStall(pressure: boolean): void {
    clearTimeout(this.#stall);
    if (!pressure || this.#stuck) return;
    this.#stall = setTimeout(() => this.#giveUp(), this.#options.stallMs ?? defaultStallMs);
  }

  #giveUp(): void {
    if (this.#stuck) return;
    this.#stuck = true;
    clearTimeout(this.#stall);
    this.#options.onStuck();
  }
}

function notRead(cause?: Error): GatewayError {
  const told = "The server's process reads its stdin no more.";
  return new GatewayError("CONNECTION_LOST", told, cause === undefined ? {} : { cause });
}
