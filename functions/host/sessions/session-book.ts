import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { RunRequest, RunSession } from "../../../shared/run-contract/contract.ts";
import type { StartServer } from "../pool/capacity.ts";
import type { ServerPool } from "../pool/server-pool.ts";
import { describeEnd, type EndReason } from "../process/end-reason.ts";
import { ownerOf } from "./owner-of.ts";
import type { HeldProcesses } from "./held-processes.ts";
import { RecentEnds } from "./recent-ends.ts";

/** A caller that has too many sessions may have ended one by then. */
const retryAfterS = 30;

/** The sessions of this host: each a process of its own, whose end is told and never mended. */
export class SessionBook {
  readonly #pool: Pick<ServerPool, "end">;
  readonly #held: HeldProcesses;
  readonly #ends = new RecentEnds<EndReason>();
  /** The pool key that each session began with, from its process's start until nothing is left. */
  readonly #poolKeys = new Map<string, string>();

  constructor(pool: Pick<ServerPool, "end">, held: HeldProcesses) {
    this.#pool = pool;
    this.#held = held;
  }

  /**
   * Refuses a run that would start a process for its session, unless the session has had none and
   * is to have one.
   * @throws GatewayError SESSION_EXPIRED
   */
  expectStartable({ id, start }: RunSession, server: string): void {
    const end = this.#ends.of(id);
    const isEnding = this.#poolKeys.has(id);
    if (start && end === undefined && !isEnding) return;
    const why =
      end === undefined ? (isEnding ? "is being ended" : "is no longer there") : describeEnd(end);
    const told = `The session with server '${server}' is gone: its process ${why}.`;
    throw new GatewayError("SESSION_EXPIRED", told, { server });
  }

  /**
   * Refuses a run that is for another launch, or has other values, than the session began with:
   * what it would mask is not what the process knows.
   * @throws GatewayError SESSION_EXPIRED
   */
  expectSame({ id }: RunSession, { pool_key, server }: RunRequest): void {
    const begun = this.#poolKeys.get(id);
    if (begun === undefined || begun === pool_key) return;
    const told = `The session with server '${server}' is gone: it began with other values or settings than this call has.`;
    throw new GatewayError("SESSION_EXPIRED", told, { server });
  }

  /**
   * The start of a session's process, which holds a place of its owner until it is gone. It rejects
   * as `expectStartable` does where the session has a process already, or has had one.
   */
  starting(session: RunSession, request: RunRequest, start: StartServer): StartServer {
    return async (own) => {
      // Its package was installed first: a process may have begun, or ended, in that time.
      this.expectStartable(session, request.server);
      const giveBack = this.#held.hold(ownerOf(request));
      if (giveBack === null) throw tooMany(request.server);
      this.#poolKeys.set(session.id, request.pool_key);
      try {
        const server = await start(own);
        const { ended, gone } = server.process;
        void ended.then((end) => this.#ends.note(session.id, end));
        void gone.then(() => this.#poolKeys.delete(session.id));
        void gone.then(giveBack);
        return server;
      } catch (error) {
        this.#poolKeys.delete(session.id); // It has had none that was ready: it may be tried again.
        giveBack();
        throw error;
      }
    };
  }

  /** Ends the session's process; calls in flight fail. False = there was none. */
  end(id: string): Promise<boolean> {
    return this.#pool.end(sessionKey(id), "session-ended");
  }
}

/** The pool's key of a session's process. */
export function sessionKey(id: string): string {
  return `session ${id}`;
}

function tooMany(server: string): GatewayError {
  const told =
    "As many processes of the host are kept for sessions as may be, in all or for one subject.";
  return new GatewayError("CAPACITY", told, {
    server,
    retryAfterS,
    hint: "End a session with DELETE /v1/sessions/{handle}, or wait until one has been idle for long enough.",
    details: { kept: "sessions" },
  });
}
