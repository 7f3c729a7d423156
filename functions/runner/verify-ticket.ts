import { compactVerify, importJWK, type JWK } from "jose";
import {
  checkClaims,
  checkTicketBody,
  type TicketClaims,
  ticketRefused,
} from "../../shared/run-contract/ticket.ts";

const algorithm = "EdDSA";

/**
 * Checks the ticket of a request, before its body is read. That it is used once is the host's to
 * see to.
 * @throws GatewayError TICKET_INVALID, naming which check failed and nothing of the ticket
 */
export async function verifyTicket(publicKey: JWK, authorization: string): Promise<TicketClaims> {
  const payload = await readSigned(publicKey, authorization.replace(/^Bearer /i, ""));
  return checkClaims(payload, Math.floor(Date.now() / 1000));
}

/**
 * Checks the body against the ticket that it came with.
 * @throws GatewayError TICKET_INVALID
 */
export async function verifyBody(claims: TicketClaims, body: Uint8Array): Promise<void> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(body)));
  const bodyHash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  checkTicketBody(claims, bodyHash);
}

async function readSigned(publicKey: JWK, ticket: string): Promise<unknown> {
  try {
    const key = await importJWK(publicKey, algorithm);
    const { payload } = await compactVerify(ticket, key, { algorithms: [algorithm] });
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    throw ticketRefused("its signature is wrong");
  }
}
