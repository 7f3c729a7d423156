import { hash } from "node:crypto";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { checkTicketBody, type TicketClaims } from "../../../shared/run-contract/ticket.ts";
import type { HostSettings } from "../settings.ts";
import { ReplayStore } from "./replay-store.ts";
import { TenantBinding } from "./tenant-binding.ts";
import { ticketVerifier, type VerifyTicket } from "./verify-ticket.ts";

/** A request whose ticket is in order but for the body, which is read only then. */
export interface Admission {
  /**
   * What the ticket says, if it was signed for this body.
   * @throws GatewayError TICKET_INVALID or TENANT_MISMATCH
   */
  readonly take: (body: Uint8Array) => TicketClaims;
}

/** Checks tickets in the order signature, expiry, tenant, single use, body. */
export class TicketGate {
  readonly #verify: VerifyTicket;
  readonly #now: () => number;
  readonly #used = new ReplayStore();
  readonly #binding = new TenantBinding();

  /** `now` is the host's clock in milliseconds. */
  constructor(key: HostSettings["ticketKey"], now: () => number) {
    this.#verify = ticketVerifier(key);
    this.#now = now;
  }

  /**
   * Checks the `Authorization` header of a request.
   * @throws GatewayError TICKET_INVALID, TENANT_MISMATCH, or CAPACITY when too many are alive.
   */
  admit(authorization: string | undefined): Admission {
    const nowS = Math.floor(this.#now() / 1000);
    const claims = this.#verify(readBearer(authorization), nowS);
    this.#binding.expect(claims.tenant);
    this.#used.use(claims, nowS);
    return {
      take: (body) => {
        checkTicketBody(claims, hash("sha256", body));
        this.#binding.admit(claims.tenant);
        return claims;
      },
    };
  }
}

function readBearer(authorization: string | undefined): string {
  const ticket = /^Bearer ([\w.-]+)$/i.exec(authorization ?? "")?.[1];
  if (ticket !== undefined) return ticket;
  throw new GatewayError("TICKET_INVALID", "The request carries no run ticket.", {
    hint: "Send `Authorization: Bearer <ticket>`, signed by the edge for exactly this body.",
  });
}
