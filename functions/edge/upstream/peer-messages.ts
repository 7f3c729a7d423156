import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** Pings and questions: each costs an answer, and the server decides how many there are. */
const maxRequests = 1_000;

/** The requests that a server sends of its own accord on one connection. */
export class PeerRequests {
  #count = 0;

  /**
   * Counts a message of the server, which `target` names, if it is a request.
   * @throws GatewayError RESPONSE_TOO_LARGE for one too many
   */
  count(message: object, target: string): void {
    if (!("method" in message) || !("id" in message)) return;
    this.#count += 1;
    if (this.#count <= maxRequests) return;
    const text = `${target} sent more than ${maxRequests} requests of its own on one connection.`;
    throw new GatewayError("RESPONSE_TOO_LARGE", text, {
      executed: "maybe",
      details: { limit_requests: maxRequests },
    });
  }
}
