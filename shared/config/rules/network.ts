import { blocking, failing, noted, ofPolicy, warning, type Rule } from "./rule.ts";

/** GW3xx: where a remote server is. */
export const networkRules = {
  GW301: blocking(
    "The URL cannot be read.",
    "Write an absolute URL such as https://mcp.example.com/mcp.",
    "CONFIG_INVALID",
  ),
  GW302: blocking(
    "The URL's scheme does not fit.",
    "Use https:// for http and sse, wss:// for websocket.",
    "URL_NOT_ALLOWED",
  ),
  GW303: warning(
    "The URL points at this machine.",
    "Only a development deployment reaches loopback addresses.",
  ),
  GW304: blocking(
    "The URL points at a private or special address.",
    "Use a public host name.",
    "URL_NOT_ALLOWED",
  ),
  GW305: warning(
    "The URL looks like an SSE endpoint and the transport is http.",
    "Write `transport: sse`, or use the server's streamable HTTP endpoint.",
  ),
  GW306: blocking(
    "The URL holds a user name or password.",
    "Move the credential into `headers` as `${NAME}`.",
    "URL_NOT_ALLOWED",
  ),
  GW307: blocking(
    "The URL has a part that is not allowed.",
    "The message names the part.",
    "URL_NOT_ALLOWED",
  ),
  GW308: blocking("A header cannot be sent.", "The message names the rule.", "CONFIG_INVALID"),
  GW309: warning(
    "The URL uses a port that a deployment refuses unless it allows it.",
    "Use port 443, or ask the operator to allow the port.",
  ),
  GW310: noted(
    warning(
      "The server is given an address of the author's machine.",
      "Give it an address that a hosted server reaches: there, localhost is the server's own machine.",
    ),
    "Told for URLs in args and env whose host is localhost, a loopback address or `host.docker.internal`; not told for a development deployment. A remote server's own `url` gets GW303.",
  ),
  GW311: noted(
    failing(
      "The tenant's policy does not let submitted configs reach this host.",
      "Have the operator list the host under `policy.hosts`, or configure the server.",
    ),
    ofPolicy,
  ),
} as const satisfies Record<string, Rule>;
