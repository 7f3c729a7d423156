import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { catalogue, type ErrorCode } from "../../../shared/errors/catalogue.ts";
import { type Gangway, startGangway } from "../../support/gangway.ts";

/** A port of the dynamic range that nothing listens on would still be a guess: port 1 is reserved. */
const downUrl = "http://127.0.0.1:1/mcp";

let gangway: Gangway;

beforeAll(async () => {
  gangway = await startGangway({
    servers: [
      { name: "down", type: "mcp", description: "d", transport: "http", url: downUrl },
      {
        name: "needy",
        type: "mcp",
        description: "d",
        transport: "http",
        url: downUrl,
        headers: { Authorization: "Bearer ${FIRST_TOKEN}", "X-Other": "${SECOND_TOKEN}" },
      },
    ],
  });
});

afterAll(() => gangway.close());

const call = { tool: "echo", arguments: {} };
const stdio = { name: "s", type: "mcp", description: "d" };

interface Expected {
  readonly code: ErrorCode;
  /** The message begins with this text. */
  readonly message?: string;
  readonly details?: Record<string, unknown>;
}

const table: readonly (readonly [string, Record<string, unknown>, Expected])[] = [
  [
    "an unknown server",
    { ...call, server: "nobody" },
    { code: "SERVER_NOT_FOUND", details: { servers: ["down", "needy"] } },
  ],
  [
    "two servers and none named",
    call,
    { code: "SERVER_AMBIGUOUS", details: { servers: ["down", "needy"] } },
  ],
  ["a server that is down", { ...call, server: "down" }, { code: "CONNECTION_FAILED" }],
  [
    "missing references, all of them",
    { ...call, server: "needy" },
    {
      code: "REFERENCE_UNRESOLVED",
      message: "Environment variable 'FIRST_TOKEN' not found",
      details: {
        references: [
          { name: "FIRST_TOKEN", pointer: "/headers/Authorization" },
          { name: "SECOND_TOKEN", pointer: "/headers/X-Other" },
        ],
      },
    },
  ],
  [
    "a config in broken YAML",
    { ...call, config_text: "tools:\n  - name: [unclosed\n" },
    { code: "CONFIG_SYNTAX" },
  ],
  [
    "a config in broken JSON",
    { ...call, config_text: '{"tools": [', config_path: "agent.json" },
    { code: "CONFIG_SYNTAX" },
  ],
  [
    "a command that is not allowed",
    { ...call, config: { ...stdio, command: "bash", args: ["-c", "id"] } },
    {
      code: "COMMAND_NOT_ALLOWED",
      message: "Invalid command 'bash'. Supported commands: npx, uvx, docker",
    },
  ],
  [
    "a stdio server without a command",
    { ...call, config: stdio },
    { code: "TRANSPORT_FIELD_MISSING", message: "'command' is required for stdio transport" },
  ],
  ...["sse", "websocket", "http"].map(
    (transport) =>
      [
        `a server of transport ${transport} without a url`,
        { ...call, config: { ...stdio, transport } },
        {
          code: "TRANSPORT_FIELD_MISSING",
          message: `'url' is required for ${transport} transport`,
        },
      ] as const,
  ),
  [
    "a cleartext url that is not loopback",
    { ...call, config: { ...stdio, transport: "http", url: "http://mcp.example.com/mcp" } },
    { code: "URL_NOT_ALLOWED", message: "'url' must use https:// (or http:// for localhost)" },
  ],
  [
    "a request_timeout of zero",
    { ...call, config: { ...stdio, command: "npx", args: ["-y", "p@1.0.0"], request_timeout: 0 } },
    { code: "CONFIG_INVALID", message: "request_timeout must be positive" },
  ],
  [
    "an env file that was not sent",
    {
      ...call,
      config: { ...stdio, command: "npx", args: ["-y", "p@1.0.0"], env_file: ".env" },
    },
    { code: "ENV_FILE_NOT_PROVIDED", details: { path: ".env" } },
  ],
  [
    "npx options that run other code",
    { ...call, config: { ...stdio, command: "npx", args: ["-c", "id"] } },
    { code: "LAUNCH_NOT_ALLOWED" },
  ],
  [
    "a command that no host here runs",
    { ...call, config: { ...stdio, command: "uvx", args: ["mcp-server-time==1.0.0"] } },
    { code: "LAUNCHER_UNAVAILABLE" },
  ],
];

describe("a call with bad input", () => {
  it.each(table)("is refused for %s with its own code", async (_name, body, expected) => {
    const answer = await gangway.post("/v1/tools/call", body);
    const { type, http } = catalogue[expected.code];
    expect(answer.body).toMatchObject({
      success: false,
      error: { code: expected.code, type, executed: "no" },
      metadata: { request_id: answer.headers.get("x-request-id") },
    });
    expect(answer.status).toBe(http);
    const { error } = answer.body as { error: Record<string, unknown> };
    expect(error["message"]).toMatch(/\S/);
    expect(String(error["message"]).startsWith(expected.message ?? "")).toBe(true);
    expect(String(error["hint"]).length).toBeGreaterThan(10);
    expect(error["docs"]).toBe(`docs/reference/errors.md#${expected.code.toLowerCase()}`);
    expect(error["details"] ?? {}).toMatchObject(expected.details ?? {});
  });

  it("says that the same call may be retried only where it may", async () => {
    const down = await gangway.post("/v1/tools/call", { ...call, server: "down" });
    const unknown = await gangway.post("/v1/tools/call", { ...call, server: "nobody" });
    expect(down.body).toMatchObject({ error: { retryable: true } });
    expect(unknown.body).toMatchObject({ error: { retryable: false } });
  });
});
