import { compactVerify, importJWK, type JWK } from "jose";
import { checkClaims, type TicketClaims, ticketRefused } from "../../shared/run-contract/ticket.ts";

const algorithm = "EdDSA";

/**
 * Checks the ticket of a request against the bytes that it was signed for. That it is used once
 * is the host's to see to.
 * @throws GatewayError TICKET_INVALID, naming which check failed and nothing of the ticket
 */
export async function verifyTicket(
  publicKey: JWK,
  authorization: string,
  body: Uint8Array,
): Promise<TicketClaims> {
  const payload = await readSigned(publicKey, authorization.replace(/^Bearer /i, ""));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(body)));
  const bodyHash = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return checkClaims(payload, { bodyHash, nowS: Math.floor(Date.now() / 1000) });
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
