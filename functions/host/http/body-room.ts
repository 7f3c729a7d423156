import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** How long a caller waits before it sends again: bodies come in quickly. */
const retryAfterS = 1;

export interface BodyRoomLimits {
  readonly bodies: number;
  readonly bytes: number;
}

/** The part of the room that one body takes. */
export interface BodyPlace extends Disposable {
  /** @throws GatewayError CAPACITY */
  readonly add: (bytes: number) => void;
}

/** Bounds what the bodies that are being received may hold of the memory together. */
export class BodyRoom {
  readonly #limits: BodyRoomLimits;
  #bodies = 0;
  #bytes = 0;

  constructor(limits: BodyRoomLimits) {
    this.#limits = limits;
  }

  /**
   * A place for one body, until it is disposed of.
   * @throws GatewayError CAPACITY
   */
  enter(): BodyPlace {
    if (this.#bodies >= this.#limits.bodies) throw full();
    this.#bodies += 1;
    let own = 0;
    return {
      add: (bytes) => {
        if (this.#bytes + bytes > this.#limits.bytes) throw full();
        this.#bytes += bytes;
        own += bytes;
      },
      [Symbol.dispose]: () => {
        this.#bodies -= 1;
        this.#bytes -= own;
      },
    };
  }
}

function full(): GatewayError {
  const told = "The host receives as many requests as it has room for.";
  return new GatewayError("CAPACITY", told, {
    retryAfterS,
    hint: "Wait for the time in Retry-After; nothing was started.",
  });
}
