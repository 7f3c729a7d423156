import { GatewayError } from "../../shared/errors/gateway-error.ts";
import type { RunEvent, RunRequest } from "../../shared/run-contract/contract.ts";

/** The host answers a run at once, and tells every 10 seconds that it is still at it. */
const longestAnswerMs = 5_000;
const longestSilenceMs = 25_000;
/** The host's own time limit tells more than this one: it goes first. */
const graceMs = 1_000;

type Stage = "answer" | "events" | "operation";
type Limit = "silence" | "operation";

/**
 * Watches over one run from the edge's side: a host that stands still, or whose network does,
 * never holds a caller beyond the limits of the run. One timer serves all limits: it is moved only
 * when a limit comes nearer, and looks again when it fires before one is passed.
 */
export class HostWatch {
  readonly #abort = new AbortController();
  readonly #request: RunRequest;
  #stage: Stage = "answer";
  /** Times on the runtime's clock, milliseconds. */
  #silentUntil: number;
  #operationUntil = Number.POSITIVE_INFINITY;
  #totalUntil = Number.POSITIVE_INFINITY;
  #timer: { readonly at: number; readonly id: ReturnType<typeof setTimeout> } | undefined;
  #expired: Limit | null = null;

  constructor(request: RunRequest) {
    this.#request = request;
    this.#silentUntil = performance.now() + longestAnswerMs;
    this.#arm();
  }

  /** Aborts when the host has gone beyond a limit. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The host accepted the run, or told how it goes. */
  heard(event: RunEvent["event"] | null): void {
    const now = performance.now();
    if (this.#stage === "answer") this.#stage = "events";
    this.#silentUntil = now + longestSilenceMs;
    const { call_ms, progress_extends_to_ms } = this.#request.limits;
    if (event === "sent" && this.#stage !== "operation") {
      this.#stage = "operation";
      this.#totalUntil = now + progress_extends_to_ms + graceMs;
    }
    if (event === "sent" || event === "progress") this.#operationUntil = now + call_ms + graceMs;
    this.#arm();
  }

  /** Why the run was given up; null when it was not. */
  failure(): GatewayError | null {
    const { server, limits } = this.#request;
    const executed = this.#stage === "operation" ? "maybe" : "no";
    if (this.#expired === "operation") {
      const told = `The operation was not done within ${limits.call_ms} ms, and the host did not say so.`;
      return new GatewayError("REQUEST_TIMEOUT", told, { server, executed });
    }
    if (this.#expired === null) return null;
    const told =
      this.#stage === "answer"
        ? `The host did not answer within ${longestAnswerMs} ms.`
        : `The host was silent for ${longestSilenceMs} ms.`;
    return new GatewayError("HOST_UNAVAILABLE", told, { server, executed });
  }

  [Symbol.dispose](): void {
    this.#disarm();
  }

  #arm(): void {
    const at = Math.min(this.#silentUntil, this.#operationUntil, this.#totalUntil);
    if (this.#expired !== null || (this.#timer !== undefined && this.#timer.at <= at)) return;
    this.#disarm();
    this.#timer = { at, id: setTimeout(() => this.#look(), Math.max(0, at - performance.now())) };
  }

  #disarm(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer.id);
    this.#timer = undefined;
  }

  #look(): void {
    this.#timer = undefined;
    const now = performance.now();
    if (now >= this.#silentUntil) this.#expire("silence");
    else if (now >= Math.min(this.#operationUntil, this.#totalUntil)) this.#expire("operation");
    else this.#arm();
  }

  #expire(limit: Limit): void {
    this.#expired = limit;
    this.#abort.abort();
  }
}
