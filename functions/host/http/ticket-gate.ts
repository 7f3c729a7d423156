import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { TicketClaims } from "../../../shared/run-contract/ticket.ts";
import type { HostSettings } from "../settings.ts";
import { ReplayStore } from "./replay-store.ts";
import { TenantBinding } from "./tenant-binding.ts";
import { ticketVerifier, type VerifyTicket } from "./verify-ticket.ts";

/** What a ticket must fit: the `Authorization` header it came in, and the bytes it was signed for. */
export interface TicketedRequest {
  readonly authorization: string | undefined;
  readonly body: Uint8Array;
}

/** Checks tickets in the order signature, body, expiry, single use, tenant. */
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

  /** @throws GatewayError TICKET_INVALID or TENANT_MISMATCH. */
  admit(request: TicketedRequest): TicketClaims {
    const nowS = Math.floor(this.#now() / 1000);
    const claims = this.#verify(readBearer(request.authorization), { body: request.body, nowS });
    this.#used.use(claims, nowS);
    this.#binding.admit(claims.tenant);
    return claims;
  }
}

function readBearer(authorization: string | undefined): string {
  const ticket = /^Bearer ([\w.-]+)$/i.exec(authorization ?? "")?.[1];
  if (ticket !== undefined) return ticket;
  throw new GatewayError("TICKET_INVALID", "The request carries no run ticket.", {
    hint: "Send `Authorization: Bearer <ticket>`, signed by the edge for exactly this body.",
  });
}
