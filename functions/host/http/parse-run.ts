import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { type RunRequest, runRequestSchema } from "../../../shared/run-contract/contract.ts";
import type { TicketClaims } from "../../../shared/run-contract/ticket.ts";

/**
 * Reads a run request from a body whose ticket was checked.
 * @throws GatewayError REQUEST_MALFORMED, REQUEST_INVALID (paths and reasons, never values), or
 * TICKET_INVALID when the ticket is another tenant's.
 */
export function parseRun(body: Uint8Array, claims: TicketClaims): RunRequest {
  const parsed = runRequestSchema.safeParse(parseJson(body));
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => ({
      path: path.join("."),
      message,
    }));
    throw new GatewayError("REQUEST_INVALID", "The run request does not follow contract v1.", {
      hint: "Deploy an edge whose contract version is among those of the host's /health.",
      details: { issues },
    });
  }
  if (parsed.data.tenant !== claims.tenant) {
    throw new GatewayError("TICKET_INVALID", "The run ticket was refused: it is another tenant's.");
  }
  return parsed.data;
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    // The parser's message quotes the text around the fault, which may be a secret.
    throw new GatewayError("REQUEST_MALFORMED", "The run request is not JSON in UTF-8.");
  }
}
