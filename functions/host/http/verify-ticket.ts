import { createPublicKey, type KeyObject, verify } from "node:crypto";
import {
  checkClaims,
  type TicketClaims,
  ticketRefused,
} from "../../../shared/run-contract/ticket.ts";
import type { HostSettings } from "../settings.ts";

/** `nowS` is the host's clock in seconds. */
export type VerifyTicket = (ticket: string, nowS: number) => TicketClaims;

/**
 * Checks tickets signed by one key: the signature first, then what they say; not the body, which
 * may be yet to come. Node's own
 * verification is synchronous: it costs the processor less than a turn through a thread.
 * What it returns throws GatewayError TICKET_INVALID, naming which check failed and nothing of
 * the ticket.
 */
export function ticketVerifier(publicKey: HostSettings["ticketKey"]): VerifyTicket {
  const key = createPublicKey({ key: publicKey, format: "jwk" });
  return (ticket, nowS) => checkClaims(readSigned(key, ticket), nowS);
}

/** The payload of a compact JWS (RFC 7515) that `key` has signed with Ed25519. */
function readSigned(key: KeyObject, ticket: string): unknown {
  const [header = "", payload = "", signature = "", ...rest] = ticket.split(".");
  const signed = Buffer.from(`${header}.${payload}`);
  const isSigned =
    rest.length === 0 && verify(null, signed, key, Buffer.from(signature, "base64url"));
  if (!isSigned || !isEdDsa(readPart(header))) throw ticketRefused("its signature is wrong");
  return readPart(payload);
}

/** RFC 7515, section 4.1.11: a header that names extensions to be understood is to be refused. */
function isEdDsa(header: unknown): boolean {
  if (typeof header !== "object" || header === null) return false;
  return "alg" in header && header.alg === "EdDSA" && !("crit" in header);
}

function readPart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString());
  } catch {
    return undefined; // Whoever asked refuses it.
  }
}
