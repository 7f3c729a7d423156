import { randomBytes } from "node:crypto";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { waitingStatePrefix } from "../../../shared/run-contract/contract.ts";
import { RecentEnds } from "../sessions/recent-ends.ts";

/** A call that waits for its caller's answers. */
interface Waiting {
  /** Its caller has let the time pass. */
  readonly abandon: () => void;
}

/** The calls that wait for answers, each under a state that continues it once. */
export class WaitingCalls<Call extends Waiting> {
  readonly #waitMs: number;
  readonly #waiting = new Map<string, { readonly call: Call; readonly timer: NodeJS.Timeout }>();
  readonly #ends = new RecentEnds<"continued" | "late">();

  /** `waitMs`: how long a call waits. */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** Lets a call wait: the state that continues it, and how long it does. */
  keep(call: Call): { readonly state: string; readonly waitsMs: number } {
    const state = waitingStatePrefix + randomBytes(18).toString("base64url");
    const timer = setTimeout(() => {
      this.#end(state, "late");
      call.abandon();
    }, this.#waitMs);
    timer.unref();
    this.#waiting.set(state, { call, timer });
    return { state, waitsMs: this.#waitMs };
  }

  /**
   * The call of a state, which continues it no second time.
   * @throws GatewayError REQUEST_STATE_USED, REQUEST_STATE_EXPIRED
   */
  take(state: string, server: string): Call {
    const waiting = this.#waiting.get(state);
    if (waiting === undefined) throw this.#refusal(state, server);
    clearTimeout(waiting.timer);
    this.#end(state, "continued");
    return waiting.call;
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
    const told =
      how === "late"
        ? `The server's questions were not answered within ${this.#waitMs} ms, and were refused.`
        : "The call that waited for the answers is no longer there.";
    const hint =
      "The call had begun: find out what it has done before it is started again without request_state and input_responses.";
    return new GatewayError("REQUEST_STATE_EXPIRED", told, { ...facts, hint });
  }
}
