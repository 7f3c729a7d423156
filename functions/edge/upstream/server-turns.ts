import type { RequestTurn } from "../../../shared/mcp/session-types.ts";
import { HeaderSlots, type Release } from "./header-slots.ts";

/** Of one server's messages that have no turn. */
const maxApart = 2;

interface Turn {
  readonly what: RequestTurn;
  readonly release: Release;
  /** A request is on its way in it. */
  busy: boolean;
}

/**
 * The slots of one server's connection. A turn is taken before a time limit starts, so that
 * waiting in the queue costs none of it; the requests that it was taken for then go at once. What
 * has no turn (an answer to a server's own request, above all) takes a slot of its own, two at
 * most: a server decides how many of these there are, and must not keep other servers waiting.
 */
export class ServerTurns {
  readonly #slots: HeaderSlots;
  readonly #turns = new Set<Turn>();
  readonly #apart = new HeaderSlots(maxApart);

  constructor(slots: HeaderSlots) {
    this.#slots = slots;
  }

  /**
   * Waits for a slot: for one request, or for all of a handshake, which come one after the other.
   * The returned function ends the turn, if its request has not done so.
   */
  readonly take = async (what: RequestTurn, signal: AbortSignal): Promise<Release> => {
    const release = await this.#slots.take(signal);
    const turn = { what, release, busy: false };
    this.#turns.add(turn);
    return () => this.#end(turn);
  };

  /** Runs `send`, which resolves when response headers have come, in a turn or in a slot of its own. */
  async run<Result>(
    signal: AbortSignal | null | undefined,
    send: () => Promise<Result>,
  ): Promise<Result> {
    const turn = [...this.#turns].find(({ busy }) => !busy);
    if (turn !== undefined) return this.#runIn(turn, send);
    const leave = await this.#apart.take(signal);
    try {
      return await this.#runApart(signal, send);
    } finally {
      leave();
    }
  }

  async #runApart<Result>(
    signal: AbortSignal | null | undefined,
    send: () => Promise<Result>,
  ): Promise<Result> {
    const release = await this.#slots.take(signal);
    try {
      return await send();
    } finally {
      release();
    }
  }

  async #runIn<Result>(turn: Turn, send: () => Promise<Result>): Promise<Result> {
    turn.busy = true;
    try {
      return await send();
    } finally {
      turn.busy = false;
      if (turn.what === "request") this.#end(turn);
    }
  }

  #end(turn: Turn): void {
    this.#turns.delete(turn);
    turn.release();
  }
}
