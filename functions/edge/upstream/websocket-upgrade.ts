import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { discard } from "./http-response.ts";
import { responseFailure } from "./response-failure.ts";
import { wholeOrLength } from "../../../shared/errors/whole-or-length.ts";

/** What MCP asks of a workerd WebSocket that a response holds. */
export interface UpstreamSocket {
  binaryType: string;
  accept(): void;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "error", listener: (event: { readonly error?: unknown }) => void): void;
  addEventListener(
    type: "close",
    listener: (event: { readonly code: number; readonly reason: string }) => void,
  ): void;
}

/**
 * The WebSocket of an upgrade's response, not accepted yet.
 * @throws GatewayError UPSTREAM_UNAUTHORIZED, UPSTREAM_REDIRECT, UPSTREAM_RATE_LIMITED or
 * UPSTREAM_HTTP_ERROR by the status, RESPONSE_INVALID for a success that is no upgrade or has
 * another subprotocol
 */
export async function socketOf(
  response: Response,
  subprotocol: string,
  target: string,
): Promise<UpstreamSocket> {
  const { webSocket } = response as { readonly webSocket?: UpstreamSocket | null };
  if (webSocket === undefined || webSocket === null) throw await notUpgraded(response, target);
  const agreed = response.headers.get("sec-websocket-protocol");
  // A server may leave the choice out (RFC 6455 §4.1); it may not choose what was not offered.
  if (agreed === null || agreed === subprotocol) return webSocket;
  webSocket.accept();
  webSocket.close(1002, "subprotocol");
  const text = `${target} chose the WebSocket subprotocol ${wholeOrLength(agreed, 40)}, not ${subprotocol}.`;
  throw new GatewayError("RESPONSE_INVALID", text);
}

async function notUpgraded(response: Response, target: string): Promise<GatewayError> {
  if (!response.ok) return responseFailure(response, target);
  await discard(response);
  const text = `${target} answered HTTP ${response.status} and opened no WebSocket.`;
  return new GatewayError("RESPONSE_INVALID", text);
}
