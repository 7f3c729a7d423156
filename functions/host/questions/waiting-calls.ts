import { randomBytes } from "node:crypto";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { type RunRequest, waitingStatePrefix } from "../../../shared/run-contract/contract.ts";
import { RecentEnds } from "../sessions/recent-ends.ts";

/** A call that waits for its caller's answers. */
interface Waiting {
  /** The pool key of the request that began it. */
  readonly poolKey: string;
  /** Its caller has let the time pass. */
  readonly abandon: () => void;
}

export interface WaitingOptions {
  /** How long a call waits for the answers to its questions, milliseconds. */
  readonly waitMs: number;
  /** Milliseconds of a clock that is not set. */
  readonly now: () => number;
}

/** A caller that answers nothing, or a server that asks without end, is waited for no longer. */
const maxWaits = 3;

/** The calls that wait for answers, each under a state that continues it once. */
export class WaitingCalls<Call extends Waiting> {
  readonly #options: WaitingOptions;
  readonly #waiting = new Map<string, { readonly call: Call; readonly timer: NodeJS.Timeout }>();
  readonly #ends = new RecentEnds<"continued" | "late">();

  /** When each call is abandoned at the latest: it is counted from its first question. */
  readonly #lastDue = new WeakMap<Call, number>();

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  /** Lets a call wait: the state that continues it, and how long it does. */
  keep(call: Call): { readonly state: string; readonly waitsMs: number } {
    const waitsMs = this.#waitOf(call);
    const state = waitingStatePrefix + randomBytes(18).toString("base64url");
    const timer = setTimeout(() => {
      this.#end(state, "late");
      call.abandon();
    }, waitsMs);
    timer.unref();
    this.#waiting.set(state, { call, timer });
    return { state, waitsMs };
  }

  /**
   * The call of a state, which continues it no second time.
   * @throws GatewayError REQUEST_STATE_USED, REQUEST_STATE_EXPIRED, or REQUEST_STATE_INVALID for
   * a request with other values than the call began with: what it would mask is not what the
   * process knows. The call waits on then.
   */
  take(state: string, { pool_key, server }: Pick<RunRequest, "pool_key" | "server">): Call {
    const waiting = this.#waiting.get(state);
    if (waiting === undefined) throw this.#refusal(state, server);
    if (waiting.call.poolKey !== pool_key) throw otherValues(server);
    clearTimeout(waiting.timer);
    this.#end(state, "continued");
    return waiting.call;
  }

  #waitOf(call: Call): number {
    const { waitMs, now } = this.#options;
    const lastDue = this.#lastDue.get(call) ?? now() + maxWaits * waitMs;
    this.#lastDue.set(call, lastDue);
    return Math.max(1, Math.min(waitMs, lastDue - now()));
  }

  #end(state: string, how: "continued" | "late"): void {
    this.#waiting.delete(state);
    this.#ends.note(state, how);
  }

  #refusal(state: string, server: string): GatewayError {
    const how = this.#ends.of(state);
    const facts = { server, executed: "maybe" } as const;
    if (how === "continued") {
      const told = "The questions were answered before: the call has gone on from there.";
      return new GatewayError("REQUEST_STATE_USED", told, facts);
    }
    const { waitMs } = this.#options;
    const told =
      how === "late"
        ? `The server's questions were not answered within ${waitMs} ms, or ${maxWaits * waitMs} ms for all of the call, and were refused.`
        : "The call that waited for the answers is no longer there.";
    const hint =
      "The call had begun: find out what it has done before it is started again without request_state and input_responses.";
    return new GatewayError("REQUEST_STATE_EXPIRED", told, { ...facts, hint });
  }
}

function otherValues(server: string): GatewayError {
  const told = `The call of server '${server}' that waits for the answers began with other values or settings than this request has.`;
  return new GatewayError("REQUEST_STATE_INVALID", told, { server, executed: "no" });
}
