import { GatewayError } from "../errors/gateway-error.ts";
import { connectTimeout } from "./connect-failure.ts";
import { type OpenClient, openClient } from "./open-client.ts";
import { nextState, type SessionEvent, sessionStates } from "./session-states.ts";
import type { SessionNotification, SessionOptions, SessionState } from "./session-types.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * The life of a session's connection: it is opened once, by whoever needs it first, and ends
 * once. What may happen in which state is written in session-states.ts.
 */
export class SessionConnection {
  readonly #options: SessionOptions;
  readonly #onNotification: (notification: SessionNotification) => void;
  readonly #abort = new AbortController();
  readonly #closing = new Set<Promise<void>>();
  #state: SessionState = "CREATED";
  #open: OpenClient | null = null;
  #opening: Promise<OpenClient> | null = null;
  #endReason: GatewayError | null = null;

  constructor(
    options: SessionOptions,
    onNotification: (notification: SessionNotification) => void,
  ) {
    this.#options = options;
    this.#onNotification = onNotification;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The connected client; null before the handshake. */
  get current(): OpenClient | null {
    return this.#open;
  }

  /** Aborts when the connection is ended from our side. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The connected client, as soon as there is one. */
  async ready(): Promise<OpenClient> {
    const start = sessionStates[this.#state].operation;
    if (start === "refuse") throw this.#ended("no");
    if (start === "connect") {
      this.apply("connect");
      this.#opening = this.#connect();
    }
    const open = await this.#opening;
    // Another caller may have ended the session meanwhile.
    if (open === null || sessionStates[this.#state].operation === "refuse") throw this.#ended("no");
    return open;
  }

  apply(event: SessionEvent): void {
    this.#state = nextState(this.#state, event);
  }

  /** Operations in flight fail at once; resolves when everything is closed. */
  async end(): Promise<void> {
    this.apply("disconnect");
    this.#open?.transport.failAll(() => this.#ended("maybe"));
    // A reason of its own: without one, the runtime makes an error with a stack.
    this.#abort.abort("ended");
    await this.#open?.transport.leave();
    await Promise.all(this.#closing);
  }

  /** `error` as an error of ours that carries the server's name. */
  named(error: unknown): GatewayError {
    const { name, target } = this.#options;
    if (!(error instanceof GatewayError)) {
      const text = `The session with ${target} failed.`;
      return new GatewayError("INTERNAL", text, { server: name, cause: error });
    }
    return error.server === undefined ? error.with({ server: name }) : error;
  }

  async #connect(): Promise<OpenClient> {
    const { signal } = this.#abort;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let endTurn: (() => void) | undefined;
    try {
      endTurn = await this.#options.takeTurn?.("handshake", signal);
      timer = setTimeout(() => this.#abort.abort("timeout"), this.#options.connectTimeoutMs);
      const opening = openClient(this.#options, this.#listeners(), signal);
      // Once the wait is over, openClient closes what it has opened by itself.
      opening.catch(() => undefined);
      this.#open = await untilAborted(opening, signal);
      this.apply("connected");
      return this.#open;
    } catch (error) {
      if (this.#state === "DISCONNECTED") throw this.#ended("no");
      const timedOut = signal.reason === "timeout";
      this.#endReason = this.named(timedOut ? connectTimeout(this.#options) : error);
      this.apply("fail");
      throw this.#endReason;
    } finally {
      if (timer !== undefined) clearTimeout(timer);
      endTurn?.();
    }
  }

  #listeners() {
    return {
      onNotification: this.#onNotification,
      onException: (error: Error) => this.#options.onException?.(error),
      onEnd: (reasonOf: () => GatewayError) => {
        if (this.#state !== "CONNECTED") return;
        this.#endReason = reasonOf();
        this.apply("fail");
      },
      onClosing: (closing: Promise<void>) => this.#awaitClosing(closing),
    };
  }

  #awaitClosing(closing: Promise<void>): void {
    const settled = closing
      .catch((error: unknown) => this.#options.onException?.(this.named(error)))
      .then(() => void this.#closing.delete(settled));
    this.#closing.add(settled);
  }

  #ended(executed: "no" | "maybe"): GatewayError {
    const reason = this.#endReason;
    const why = reason === null ? "" : ` (${reason.message})`;
    const text = `The session with ${this.#options.target} has ended${why}.`;
    return new GatewayError("SESSION_CLOSED", text, {
      server: this.#options.name,
      executed,
      ...(reason === null ? {} : { cause: reason, details: { reason: reason.code } }),
    });
  }
}
