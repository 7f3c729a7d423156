import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { wholeOrLength } from "../../../shared/errors/whole-or-length.ts";

/**
 * Where messages are posted to, as the stream's `endpoint` event says: a URL that is resolved
 * against the stream's own and must have its origin, since the configured headers go there.
 * https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 * @throws GatewayError RESPONSE_INVALID for no URL, URL_NOT_ALLOWED for another origin
 */
export function resolveSseEndpoint(data: string, streamUrl: string): URL {
  const stream = new URL(streamUrl);
  if (!URL.canParse(data, streamUrl)) {
    const text = `${stream.origin} named an endpoint that is no URL.`;
    throw new GatewayError("RESPONSE_INVALID", text);
  }
  const endpoint = new URL(data, streamUrl);
  if (endpoint.origin !== stream.origin) throw elsewhere(endpoint, stream);
  endpoint.hash = "";
  return endpoint;
}

function elsewhere(endpoint: URL, stream: URL): GatewayError {
  const origin = endpoint.origin === "null" ? endpoint.protocol : endpoint.origin;
  const text = `${stream.origin} wants messages sent to another origin, ${wholeOrLength(origin, 200)}.`;
  return new GatewayError("URL_NOT_ALLOWED", text, {
    hint: "Write the URL of the origin that takes the messages into the config, or mend the server's public address.",
    details: { reason: "sse-endpoint-origin" },
  });
}
