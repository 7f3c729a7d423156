import { type JSONRPCMessage, PROTOCOL_VERSION_META_KEY } from "@modelcontextprotocol/client";

/** What a connection adds to the configured headers. */
export interface ConnectionState {
  readonly headers: Readonly<Record<string, string>>;
  readonly sessionId: string | undefined;
  readonly protocolVersion: string | undefined;
}

/** Which member of a request's params `Mcp-Name` mirrors, by method. */
const nameSources: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** Headers of a request without a body. */
export function connectionHeaders(state: ConnectionState): Headers {
  const headers = new Headers(state.headers);
  if (state.sessionId !== undefined) headers.set("mcp-session-id", state.sessionId);
  if (state.protocolVersion !== undefined)
    headers.set("mcp-protocol-version", state.protocolVersion);
  return headers;
}

/**
 * Headers of the POST that carries `message`. A request of revision 2026-07-28 mirrors its
 * version, method and name, which the server compares with the body.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function messageHeaders(
  message: JSONRPCMessage,
  state: ConnectionState,
  extra: Readonly<Record<string, string>> = {},
): Headers {
  const headers = connectionHeaders(state);
  for (const [name, value] of Object.entries(extra)) {
    if (/^mcp-param-/i.test(name)) headers.set(name, value);
  }
  headers.set("content-type", "application/json");
  headers.set("accept", "application/json, text/event-stream");
  if (!("method" in message) || !("id" in message)) return headers;
  if (message.method === "initialize") headers.delete("mcp-session-id");
  const version = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof version !== "string") return headers;
  headers.set("mcp-protocol-version", version);
  headers.set("mcp-method", message.method);
  const source = Object.hasOwn(nameSources, message.method)
    ? nameSources[message.method]
    : undefined;
  const name = source === undefined ? undefined : message.params?.[source];
  if (typeof name === "string") headers.set("mcp-name", fieldValue(name));
  return headers;
}

/** `value` as an HTTP field value: as it is when it is plain ASCII, else marked as base64. */
function fieldValue(value: string): string {
  const plain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
  const ambiguous = value.startsWith("=?base64?") && value.endsWith("?=");
  if (plain && !ambiguous) return value;
  const bytes = Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte));
  return `=?base64?${btoa(bytes.join(""))}?=`;
}
