import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** Each costs some time of an isolate that others share. */
const maxMessages = 100_000;
/** Pings and questions: each costs an answer as well. */
const maxRequests = 1_000;

/** What a server sends on one connection: it decides how much that is. */
export class PeerMessages {
  #messages = 0;
  #requests = 0;

  /**
   * Counts a message of the server, which `target` names.
   * @throws GatewayError RESPONSE_TOO_LARGE for one too many
   */
  count(message: object, target: string): void {
    this.#messages += 1;
    if (this.#messages > maxMessages) {
      throw tooMany(target, `${maxMessages} messages`, { limit_messages: maxMessages });
    }
    if (!("method" in message) || !("id" in message)) return;
    this.#requests += 1;
    if (this.#requests > maxRequests) {
      throw tooMany(target, `${maxRequests} requests of its own`, { limit_requests: maxRequests });
    }
  }
}

function tooMany(target: string, what: string, details: Record<string, number>): GatewayError {
  const text = `${target} sent more than ${what} on one connection.`;
  return new GatewayError("RESPONSE_TOO_LARGE", text, { executed: "maybe", details });
}
