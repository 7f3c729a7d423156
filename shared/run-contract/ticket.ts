import { CompactSign, importJWK, type JWK } from "jose";
import * as z from "zod";
import { GatewayError } from "../errors/gateway-error.ts";

/** Longest life of a ticket: the time between signing at the edge and checking at the host. */
export const ticketLifetimeS = 30;
const audience = "gangway-host/v1";
const algorithm = "EdDSA";

const claimsSchema = z.object({
  aud: z.literal(audience),
  tenant: z.string().min(1),
  /** SHA-256 of the request body, hex. */
  body: z.string().length(64),
  exp: z.int(),
  jti: z.string().min(16),
});
export type TicketClaims = z.infer<typeof claimsSchema>;

/**
 * Signs one run request for the host: a compact JWS (Ed25519) over audience, tenant, body hash,
 * expiry and a unique id. `nowS` is the edge's clock in seconds.
 */
export async function signTicket(
  privateKey: JWK,
  run: { readonly tenant: string; readonly body: Uint8Array; readonly nowS: number },
): Promise<string> {
  const claims: TicketClaims = {
    aud: audience,
    tenant: run.tenant,
    body: await sha256Hex(run.body),
    exp: run.nowS + ticketLifetimeS,
    jti: crypto.randomUUID(),
  };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: algorithm })
    .sign(await importedKey(privateKey));
}

type ImportedKey = Awaited<ReturnType<typeof importJWK>>;
/** Imported keys, by the very object that was given: importing one costs half of a signature. */
const importedKeys = new WeakMap<JWK, ImportedKey>();

async function importedKey(privateKey: JWK): Promise<ImportedKey> {
  const known = importedKeys.get(privateKey);
  if (known !== undefined) return known;
  const key = await importJWK(privateKey, algorithm);
  importedKeys.set(privateKey, key);
  return key;
}

/**
 * Checks what a ticket says, once its signature is known to be the edge's; `nowS` is the host's
 * clock in seconds. The body is for `checkTicketBody`, single use (by `jti`, until `exp`) for the
 * caller to hold.
 * @throws GatewayError TICKET_INVALID, naming which check failed and nothing of the ticket.
 */
export function checkClaims(payload: unknown, nowS: number): TicketClaims {
  const read = claimsSchema.safeParse(payload);
  if (!read.success) throw ticketRefused("its claims are wrong");
  const claims = read.data;
  if (claims.exp <= nowS) throw ticketRefused("it has expired");
  if (claims.exp > nowS + 2 * ticketLifetimeS) throw ticketRefused("its expiry is too far away");
  return claims;
}

/**
 * Checks the body that came with a ticket, by its SHA-256 in hex.
 * @throws GatewayError TICKET_INVALID
 */
export function checkTicketBody({ body }: TicketClaims, bodyHash: string): void {
  if (body !== bodyHash) throw ticketRefused("it was made for another body");
}

export function ticketRefused(reason: string): GatewayError {
  return new GatewayError("TICKET_INVALID", `The run ticket was refused: ${reason}.`);
}

async function sha256Hex(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
