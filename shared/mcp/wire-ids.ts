import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject, type JsonObject } from "./json.ts";

/** Ids stay well inside 32 bits, since some servers read them so. */
const highestStart = 2 ** 30;

/**
 * Moves one connection's request ids and progress tokens, which the SDK's client counts from 0,
 * to a range of their own. Ids may not repeat within a session, and one session may be carried by
 * several connections at once; what continues a request of revision 2026-07-28 has another id too.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic#requests
 */
export class WireIds {
  readonly #start: number;

  constructor(start = randomStart()) {
    this.#start = start;
  }

  /** A message of the client as it goes out. */
  toWire(message: JSONRPCMessage): JSONRPCMessage {
    if (!("method" in message)) return message;
    const { params } = message;
    if ("id" in message) {
      const token = params?._meta?.progressToken;
      const id = this.#moved(message.id);
      if (token === undefined) return { ...message, id };
      const _meta = { ...params?._meta, progressToken: this.#moved(token) };
      return { ...message, id, params: { ...params, _meta } };
    }
    const cancelled: unknown = params?.["requestId"];
    if (message.method !== "notifications/cancelled" || !isId(cancelled)) return message;
    return { ...message, params: { ...params, requestId: this.#moved(cancelled) } };
  }

  /** A request or notification of the server as the client knows it. */
  fromWire(message: JsonObject): JsonObject {
    const { method, params } = message;
    if (method !== "notifications/progress" || !isJsonObject(params)) return message;
    // Some peers answer the token 1 as "1".
    const token = Number(params["progressToken"]);
    if (!(token >= this.#start)) return message;
    return { ...message, params: { ...params, progressToken: token - this.#start } };
  }

  #moved(id: string | number): string | number {
    return typeof id === "number" ? id + this.#start : id;
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function randomStart(): number {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return 1 + (random % highestStart);
}
