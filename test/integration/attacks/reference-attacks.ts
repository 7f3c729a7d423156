/** One way to get at a stored secret, or to have text read as something else. */
export interface ReferenceAttack {
  readonly what: string;
  /** Fields of the submitted server beside its name. */
  readonly server: Readonly<Record<string, unknown>>;
  readonly inputs?: Readonly<Record<string, string>>;
  /** The rule of the validator that tells it; null where it is no reference at all. */
  readonly rule: string | null;
  /** The code of a call; null: the call is made, with the text as it stands. */
  readonly code: string | null;
  /** The code of the operation path, had everything before it let the secret through. */
  readonly guard: string | null;
}

type Row = readonly [
  what: string,
  server: Readonly<Record<string, unknown>>,
  rule: string | null,
  code: string | null,
  guard: string | null,
  inputs?: Readonly<Record<string, string>>,
];

const remote = { transport: "http", url: "https://mcp.example.com/mcp" };
const at = (url: string, more: object = {}) => ({
  ...remote,
  url,
  headers: { authorization: "Bearer ${PRIZE}" },
  ...more,
});
const header = (value: string, name = "x-key") => ({ ...remote, headers: { [name]: value } });
const launch = { command: "npx", args: ["-y", "good@1.0.0"] };
const away = "SECRET_DESTINATION_NOT_ALLOWED";
const unresolved = "REFERENCE_UNRESOLVED";

const rows: readonly Row[] = [
  ["at another host", at("https://free.example.com/mcp"), "GW418", unresolved, away],
  [
    "at another host over SSE",
    at("https://free.example.com/mcp", { transport: "sse" }),
    "GW418",
    unresolved,
    away,
  ],
  [
    "at another host over WebSocket",
    at("wss://free.example.com/mcp", { transport: "websocket" }),
    "GW418",
    unresolved,
    away,
  ],
  ["beside its path", at("https://mcp.example.com/other"), "GW418", unresolved, away],
  [
    "at a path that begins alike",
    at("https://mcp.example.com/mcp-evil"),
    "GW418",
    unresolved,
    away,
  ],
  ["above its path", at("https://mcp.example.com/mcp/../other"), "GW418", unresolved, away],
  [
    "above its path, encoded",
    at("https://mcp.example.com/mcp/%2e%2e/other"),
    "GW418",
    unresolved,
    away,
  ],
  [
    "above its path, half encoded",
    at("https://mcp.example.com/mcp/.%2E/other"),
    "GW418",
    unresolved,
    away,
  ],
  [
    "above its path by a slash",
    at("https://mcp.example.com/mcp/..%2fother"),
    "GW418",
    unresolved,
    away,
  ],
  [
    "above its path by a backslash",
    at("https://mcp.example.com/mcp/..%5cother"),
    "GW418",
    unresolved,
    away,
  ],
  [
    "above its path by parameters",
    at("https://mcp.example.com/mcp/..;/other"),
    "GW418",
    unresolved,
    away,
  ],
  ["below two slashes", at("https://mcp.example.com/mcp//other"), "GW418", unresolved, away],
  ["at a path in other letters", at("https://mcp.example.com/MCP"), "GW418", unresolved, away],
  [
    "in a query",
    { ...remote, url: "https://mcp.example.com/mcp?k=${PRIZE}" },
    "GW418",
    unresolved,
    away,
  ],
  [
    "in a query beside a header",
    at("https://mcp.example.com/mcp?k=${PRIZE}"),
    "GW418",
    unresolved,
    away,
  ],
  [
    "in a config at another host",
    { ...remote, url: "https://free.example.com/", config: { a: ["${PRIZE}"] } },
    "GW418",
    unresolved,
    away,
  ],
  [
    "as part of a host",
    { ...remote, url: "https://${PRIZE}.example.com/mcp" },
    "GW410",
    "CONFIG_INVALID",
    "URL_NOT_ALLOWED",
  ],
  [
    "as part of a path",
    { ...remote, url: "https://mcp.example.com/${PRIZE}" },
    "GW410",
    "CONFIG_INVALID",
    "URL_NOT_ALLOWED",
  ],
  ["as a header's name", header("x", "${PRIZE}"), "GW410", "CONFIG_INVALID", "URL_NOT_ALLOWED"],
  ["of another tenant", header("${GLOBEX__PRIZE}"), "GW418", unresolved, null],
  ["of the deployment", header("${DEPLOYMENT__PRIZE}"), "GW418", unresolved, null],
  ["of this tenant, named twice", header("${ACME__PRIZE}"), "GW418", unresolved, null],
  ["of a variable of the Worker", header("${GANGWAY_TICKET_KEY}"), "GW418", unresolved, null],
  ["of the store's own prefix", header("${GW_SECRET_ACME__PRIZE}"), "GW418", unresolved, null],
  ["of an object's own name", header("${constructor}"), "GW418", unresolved, null],
  ["by a command", header("${cmd:cat /etc/passwd}"), "GW413", "CONFIG_INVALID", null],
  ["by a file", header("${file:/etc/passwd}"), "GW413", "CONFIG_INVALID", null],
  [
    "inside another",
    { ...remote, url: "https://free.example.com/", headers: { a: "${${PRIZE}}" } },
    "GW418",
    unresolved,
    away,
  ],
  [
    "by a value of the request",
    { ...remote, url: "https://free.example.com/", headers: { a: "${MINE}" } },
    "GW418",
    null,
    null,
    { MINE: "${PRIZE}" },
  ],
  [
    "by an escape",
    { ...remote, url: "https://free.example.com/", headers: { a: "$${PRIZE}" } },
    null,
    null,
    null,
  ],
  [
    "in a launch that is not approved",
    { ...launch, env: { T: "${PRIZE}" } },
    "GW219",
    unresolved,
    away,
  ],
  ["in a launch's config", { ...launch, config: { a: "${PRIZE}" } }, "GW219", unresolved, away],
  [
    "in a launch's arguments",
    { ...launch, args: [...launch.args, "${PRIZE}"] },
    "GW219",
    "LAUNCH_NOT_ALLOWED",
    away,
  ],
  [
    "as a package",
    { ...launch, args: ["-y", "${PRIZE}"] },
    "GW203",
    "LAUNCH_NOT_ALLOWED",
    "LAUNCH_NOT_ALLOWED",
  ],
  [
    "as a version",
    { ...launch, args: ["-y", "good@${PRIZE}"] },
    "GW203",
    "LAUNCH_NOT_ALLOWED",
    "LAUNCH_NOT_ALLOWED",
  ],
  ["as a command", { command: "${PRIZE}", args: ["x"] }, "GW201", "COMMAND_NOT_ALLOWED", null],
  [
    "in a container's variable",
    { command: "docker", args: ["run", "-i", "--rm", "-e", "T=${PRIZE}", "good/image"] },
    "GW219",
    "LAUNCH_NOT_ALLOWED",
    away,
  ],
];

export const referenceAttacks: readonly ReferenceAttack[] = rows.map(
  ([what, server, rule, code, guard, inputs]) => ({
    what,
    server,
    rule,
    code,
    guard,
    ...(inputs === undefined ? {} : { inputs }),
  }),
);
