import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/**
 * Ticket ids that were used, each kept until its ticket has expired on its own. When the store is
 * full of live tickets a new one is refused: forgetting an old one would let it be replayed.
 */
export class ReplayStore {
  readonly #expiryById = new Map<string, number>();
  readonly #maxTickets: number;

  constructor(maxTickets = 50_000) {
    this.#maxTickets = maxTickets;
  }

  /**
   * Marks a ticket as used. Times in seconds.
   * @throws GatewayError TICKET_INVALID when it was used before, CAPACITY when the store is full.
   */
  use(ticket: { readonly jti: string; readonly exp: number }, nowS: number): void {
    if (this.#expiryById.has(ticket.jti)) {
      throw new GatewayError("TICKET_INVALID", "The run ticket was refused: it was used before.", {
        hint: "Sign a new ticket for each request, a repeated one included.",
      });
    }
    if (this.#expiryById.size >= this.#maxTickets) this.#forgetExpired(nowS);
    if (this.#expiryById.size >= this.#maxTickets) {
      throw new GatewayError("CAPACITY", "The host has seen too many tickets in their lifetime.", {
        retryAfterS: 5,
      });
    }
    this.#expiryById.set(ticket.jti, ticket.exp);
  }

  #forgetExpired(nowS: number): void {
    for (const [jti, exp] of this.#expiryById) if (exp <= nowS) this.#expiryById.delete(jti);
  }
}
