/** Whether the tool may have run when an error is answered. */
export type Executed = "no" | "maybe" | "yes";

/**
 * Every error type and its parent; a caller that handles a parent handles its children.
 * `null` marks the roots.
 */
export const errorTypes = {
  RequestError: null,
  ConfigError: null,
  MCPConfigError: "ConfigError",
  MissingTransportFieldError: "MCPConfigError",
  MCPError: null,
  MCPConnectionError: "MCPError",
  MCPTimeoutError: "MCPConnectionError",
  MCPProtocolError: "MCPError",
  MCPToolNotFoundError: "MCPError",
  MCPSessionError: "MCPError",
  ToolError: "MCPError",
  PolicyError: null,
  SecretError: null,
  AuthError: null,
  LimitError: null,
  InternalError: null,
} as const satisfies Record<string, string | null>;

export type ErrorType = keyof typeof errorTypes;

interface CatalogueEntry {
  readonly type: ErrorType;
  /** HTTP status of the answer. */
  readonly http: number;
  /** JSON-RPC error code on the MCP endpoint. */
  readonly rpc: number;
  /** The same request may succeed later; told to the caller only when a retry cannot run a tool twice. */
  readonly retryable: boolean;
  readonly summary: string;
  readonly hint: string;
}

/** The one table of errors: statuses, documentation and OpenAPI derive from it. */
export const catalogue = {
  // The request itself
  REQUEST_MALFORMED: {
    type: "RequestError",
    http: 400,
    rpc: -32700,
    retryable: false,
    summary: "The request body is not valid JSON.",
    hint: "Send one JSON object; the message names the line and column where reading stopped.",
  },
  REQUEST_INVALID: {
    type: "RequestError",
    http: 400,
    rpc: -32600,
    retryable: false,
    summary: "The request body does not have the shape that this route takes.",
    hint: "Compare the fields named in details.issues with /openapi.json.",
  },
  ROUTE_NOT_FOUND: {
    type: "RequestError",
    http: 404,
    rpc: -32601,
    retryable: false,
    summary: "There is no such route.",
    hint: "GET /openapi.json lists every route.",
  },
  METHOD_NOT_ALLOWED: {
    type: "RequestError",
    http: 405,
    rpc: -32601,
    retryable: false,
    summary: "The route does not take this HTTP method.",
    hint: "Use a method from the answer's Allow header.",
  },
  MEDIA_TYPE_UNSUPPORTED: {
    type: "RequestError",
    http: 415,
    rpc: -32600,
    retryable: false,
    summary: "The request's content type or content encoding is not supported here.",
    hint: "Send application/json, uncompressed.",
  },
  BODY_TOO_LARGE: {
    type: "LimitError",
    http: 413,
    rpc: -32600,
    retryable: false,
    summary: "The request body is larger than the limit.",
    hint: "details.limit_bytes is the limit; send less, or refer to a configured server instead of sending a config.",
  },
  SERVER_AMBIGUOUS: {
    type: "RequestError",
    http: 400,
    rpc: -32602,
    retryable: false,
    summary: "Several servers are in scope and the request names none.",
    hint: "Set `server` to one of details.servers.",
  },
  SERVER_NOT_FOUND: {
    type: "ConfigError",
    http: 404,
    rpc: -32602,
    retryable: false,
    summary: "No server of that name is in scope.",
    hint: "details.servers lists the names that are; a request with a config sees that config's servers only.",
  },

  // Configuration
  CONFIG_SYNTAX: {
    type: "ConfigError",
    http: 422,
    rpc: -32602,
    retryable: false,
    summary: "The config document cannot be parsed.",
    hint: "Mend the places in details.findings; POST /v1/validate shows them all.",
  },
  CONFIG_INVALID: {
    type: "MCPConfigError",
    http: 422,
    rpc: -32602,
    retryable: false,
    summary: "The server's entry in the config has errors.",
    hint: "Mend the places in details.findings; POST /v1/validate shows them all.",
  },
  TRANSPORT_FIELD_MISSING: {
    type: "MissingTransportFieldError",
    http: 422,
    rpc: -32602,
    retryable: false,
    summary: "A field that the server's transport needs is missing.",
    hint: "stdio needs `command`; sse, websocket and http need `url`.",
  },
  COMMAND_NOT_ALLOWED: {
    type: "MCPConfigError",
    http: 422,
    rpc: -32602,
    retryable: false,
    summary: "The server's command is not one that Gangway runs.",
    hint: "Use npx, uvx or docker with a published package or image.",
  },
  REFERENCE_UNRESOLVED: {
    type: "ConfigError",
    http: 422,
    rpc: -32602,
    retryable: false,
    summary: "A `${NAME}` reference has no value.",
    hint: "Store every name of details.references, or send it in `inputs`; `$${NAME}` writes a literal.",
  },
  ENV_FILE_NOT_PROVIDED: {
    type: "ConfigError",
    http: 422,
    rpc: -32602,
    retryable: false,
    summary: "The config names an env file whose text is not in the request.",
    hint: "Add the file's text to `env_files` under the path exactly as the config writes it.",
  },

  // Authentication and authorisation
  UNAUTHENTICATED: {
    type: "AuthError",
    http: 401,
    rpc: -32001,
    retryable: false,
    summary: "The request carries no valid API key.",
    hint: "Send `Authorization: Bearer gw_…` with a current key of this deployment.",
  },
  SCOPE_MISSING: {
    type: "AuthError",
    http: 403,
    rpc: -32001,
    retryable: false,
    summary: "The key lacks a scope that this operation needs.",
    hint: "details.scope names it; ask the operator for a key that has it.",
  },
  HOST_NOT_ALLOWED: {
    type: "AuthError",
    http: 403,
    rpc: -32001,
    retryable: false,
    summary: "A development deployment answers requests to loopback hosts only.",
    hint: "Call http://127.0.0.1 or http://localhost, or deploy with a production deployment file.",
  },
  TICKET_INVALID: {
    type: "AuthError",
    http: 401,
    rpc: -32001,
    retryable: false,
    summary: "The host did not accept the run ticket.",
    hint: "Edge and host must hold the two halves of one key pair, and their clocks must agree within 30 seconds.",
  },
  TENANT_MISMATCH: {
    type: "AuthError",
    http: 403,
    rpc: -32001,
    retryable: false,
    summary: "The host serves another tenant.",
    hint: "Run one host for each tenant; a host binds to the first tenant it serves.",
  },

  // Policy, secrets, limits
  URL_NOT_ALLOWED: {
    type: "PolicyError",
    http: 403,
    rpc: -32003,
    retryable: false,
    summary: "The URL is one that Gangway does not contact.",
    hint: "Use https:// or wss:// with a public host name; details.reason names the rule.",
  },
  LAUNCH_NOT_ALLOWED: {
    type: "PolicyError",
    http: 403,
    rpc: -32003,
    retryable: false,
    summary: "The launch is outside the command's allowed form or the tenant's policy.",
    hint: "details.reason names the rule; write the package by its registry name, with options before it limited to the documented ones.",
  },
  SERVER_NOT_ALLOWED: {
    type: "PolicyError",
    http: 403,
    rpc: -32003,
    retryable: false,
    summary: "The deployment does not run servers from submitted configs.",
    hint: "Ask the operator to configure the server, and call it by name without a config.",
  },
  TOOL_NOT_ALLOWED: {
    type: "PolicyError",
    http: 403,
    rpc: -32003,
    retryable: false,
    summary: "The server's config excludes this tool.",
    hint: "details.field names the config field that excludes it.",
  },
  SECRET_PROVIDER_FAILED: {
    type: "SecretError",
    http: 502,
    rpc: -32603,
    retryable: true,
    summary: "The secret store did not answer.",
    hint: "Try again; if it lasts, the operator must look whether the store is up and reachable.",
  },
  SECRET_PROVIDER_REFUSED: {
    type: "SecretError",
    http: 502,
    rpc: -32603,
    retryable: false,
    summary: "The secret store refused Gangway's credentials, or the right to read these secrets.",
    hint: "The operator must look: details.aws_code is the store's own reason; credentials, policy, key access and clock are the usual ones.",
  },
  SECRET_UNUSABLE: {
    type: "SecretError",
    http: 422,
    rpc: -32602,
    retryable: false,
    summary: "A stored secret has a value that Gangway does not use.",
    hint: "Store a text of at least 8 characters under each name of details.references.",
  },

  // Reaching the server
  CONNECTION_FAILED: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: true,
    summary: "No connection to the server could be made.",
    hint: "Check that the server is up at the origin or command that the message names.",
  },
  CONNECTION_LOST: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: true,
    summary: "The connection ended before the answer was complete.",
    hint: "Look at the server's own log; `executed` tells whether the tool may have run.",
  },
  CONNECT_TIMEOUT: {
    type: "MCPTimeoutError",
    http: 504,
    rpc: -32603,
    retryable: true,
    summary: "The server did not accept a connection or finish the handshake in time.",
    hint: "Raise `timeout` in the server's config, or look at why the server starts slowly.",
  },
  REQUEST_TIMEOUT: {
    type: "MCPTimeoutError",
    http: 504,
    rpc: -32603,
    retryable: true,
    summary: "The server did not answer the operation in time.",
    hint: "Raise `request_timeout` in the server's config or `options.timeout_s` in the request.",
  },
  CANCELLED: {
    type: "MCPError",
    http: 499,
    rpc: -32800,
    retryable: false,
    summary: "The caller went away or cancelled the operation.",
    hint: "Nothing to mend; `executed` tells whether the tool may have run.",
  },
  UPSTREAM_UNAUTHORIZED: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: false,
    summary: "The server refused Gangway's credentials.",
    hint: "Check the header values in the server's config and the secrets that they refer to.",
  },
  UPSTREAM_HTTP_ERROR: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: true,
    summary: "The server answered with an HTTP error.",
    hint: "details.status is the server's status; check the URL's path and the server's log.",
  },
  UPSTREAM_REDIRECT: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: false,
    summary: "The server redirects to a place that Gangway does not follow.",
    hint: "Write the final URL into the config; details.location is where the server pointed.",
  },
  UPSTREAM_RATE_LIMITED: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: true,
    summary: "The server refused the request because of its own rate limit.",
    hint: "Wait; details.retry_after_s is what the server asked for.",
  },
  PROCESS_START_FAILED: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: false,
    summary: "The server's process could not be started or ended before it was ready.",
    hint: "details.stderr_tail holds the end of what it printed; run the command by hand with the same arguments.",
  },
  PROCESS_EXITED: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: true,
    summary: "The server's process ended in the middle of the operation.",
    hint: "details.exit_code, details.signal and details.stderr_tail tell how; the next call starts a new process.",
  },
  INSTALL_FAILED: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: false,
    summary: "The server's package could not be installed.",
    hint: "Check the package's name and version; details.stderr_tail holds the installer's last lines.",
  },
  INSTALL_TIMEOUT: {
    type: "MCPTimeoutError",
    http: 504,
    rpc: -32603,
    retryable: true,
    summary: "The server's package was not installed in time.",
    hint: "Call again: the installation goes on for the next caller.",
  },
  LAUNCHER_UNAVAILABLE: {
    type: "MCPConnectionError",
    http: 501,
    rpc: -32603,
    retryable: false,
    summary: "This deployment has no host that runs the server's command.",
    hint: "Use a command that the deployment has, or ask the operator for a host that has this one.",
  },
  HOST_UNAVAILABLE: {
    type: "MCPConnectionError",
    http: 502,
    rpc: -32603,
    retryable: true,
    summary: "The host that runs stdio servers did not answer as its contract says.",
    hint: "Check that the host is up and of a version that fits the edge.",
  },
  CAPACITY: {
    type: "LimitError",
    http: 503,
    rpc: -32603,
    retryable: true,
    summary: "The host runs as many processes as it may.",
    hint: "Wait for the time in Retry-After, or raise the host's process limit.",
  },

  // The protocol and the server's own answers
  RESPONSE_INVALID: {
    type: "MCPProtocolError",
    http: 502,
    rpc: -32603,
    retryable: false,
    summary: "The server's answer does not follow the protocol.",
    hint: "The message names what was wrong with the answer; report it to the server's author.",
  },
  RESPONSE_TOO_LARGE: {
    type: "LimitError",
    http: 502,
    rpc: -32603,
    retryable: false,
    summary: "The server's answer is larger than Gangway reads.",
    hint: "Ask the tool for less; details.limit_bytes is the limit.",
  },
  SERVER_ERROR: {
    type: "MCPProtocolError",
    http: 502,
    rpc: -32603,
    retryable: false,
    summary: "The server answered with a JSON-RPC error.",
    hint: "details.rpc_code and details.rpc_data are the server's own.",
  },
  INVALID_PARAMS: {
    type: "MCPProtocolError",
    http: 422,
    rpc: -32602,
    retryable: false,
    summary: "The server refused the arguments.",
    hint: "Compare the arguments with the tool's input_schema from /v1/tools/list.",
  },
  TOOL_NOT_FOUND: {
    type: "MCPToolNotFoundError",
    http: 404,
    rpc: -32602,
    retryable: false,
    summary: "The server has no such tool.",
    hint: "POST /v1/tools/list shows the tools of every server in scope.",
  },
  VERSION_UNSUPPORTED: {
    type: "MCPProtocolError",
    http: 502,
    rpc: -32603,
    retryable: false,
    summary: "The server and Gangway share no protocol version.",
    hint: "Remove `protocol` from the server's config, or set it to the version that the server speaks.",
  },
  SESSION_CLOSED: {
    type: "MCPSessionError",
    http: 409,
    rpc: -32603,
    retryable: true,
    summary: "The MCP session has ended.",
    hint: "Call again: a new session is opened for the next request.",
  },
  TOOL_ERROR: {
    type: "ToolError",
    http: 200,
    rpc: -32603,
    retryable: false,
    summary: "The tool ran and reported a failure of its own.",
    hint: "Read the result's content: it is the tool's own account of what went wrong.",
  },

  // Ours
  NOT_READY: {
    type: "InternalError",
    http: 503,
    rpc: -32603,
    retryable: true,
    summary: "The deployment is not ready to serve.",
    hint: "GET /ready names the settings that are missing or wrong.",
  },
  INTERNAL: {
    type: "InternalError",
    http: 500,
    rpc: -32603,
    retryable: false,
    summary: "Something failed inside Gangway.",
    hint: "Report the request id; the log of that request has the cause.",
  },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof catalogue;

/** `code` is one that this version's catalogue knows (a newer host may send others). */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(catalogue, code);
}
