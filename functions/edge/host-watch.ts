import { GatewayError } from "../../shared/errors/gateway-error.ts";
import type { RunEvent, RunRequest } from "../../shared/run-contract/contract.ts";

/** The host answers a run at once, and tells every 10 seconds that it is still at it. */
const longestAnswerMs = 5_000;
const longestSilenceMs = 25_000;
/** The host's own time limit tells more than this one: it goes first. */
const graceMs = 1_000;

type Stage = "answer" | "events" | "operation";

/**
 * Watches over one run from the edge's side: a host that stands still, or whose network does,
 * never holds a caller beyond the limits of the run.
 */
export class HostWatch {
  readonly #abort = new AbortController();
  readonly #request: RunRequest;
  #stage: Stage = "answer";
  #silence: ReturnType<typeof setTimeout>;
  #operation: ReturnType<typeof setTimeout> | null = null;
  #total: ReturnType<typeof setTimeout> | null = null;
  #expired: "silence" | "operation" | null = null;

  constructor(request: RunRequest) {
    this.#request = request;
    this.#silence = this.#timer("silence", longestAnswerMs);
  }

  /** Aborts when the host has gone beyond a limit. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The host accepted the run, or told how it goes. */
  heard(event: RunEvent["event"] | null): void {
    if (this.#stage === "answer") this.#stage = "events";
    stop(this.#silence);
    this.#silence = this.#timer("silence", longestSilenceMs);
    const { call_ms, progress_extends_to_ms } = this.#request.limits;
    if (event === "sent" && this.#stage !== "operation") {
      this.#stage = "operation";
      this.#total = this.#timer("operation", progress_extends_to_ms + graceMs);
    }
    if (event === "sent" || event === "progress") {
      stop(this.#operation);
      this.#operation = this.#timer("operation", call_ms + graceMs);
    }
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
    for (const timer of [this.#silence, this.#operation, this.#total]) stop(timer);
  }

  #timer(kind: "silence" | "operation", ms: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      this.#expired ??= kind;
      this.#abort.abort();
    }, ms);
  }
}

/** The runtimes differ in whether no timer is null or undefined. */
function stop(timer: ReturnType<typeof setTimeout> | null): void {
  if (timer !== null) clearTimeout(timer);
}
