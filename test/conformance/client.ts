/**
 * The client that the conformance suite runs for each scenario: an agent that knows nothing but
 * Gangway's HTTP API. It lists what the scenario's server has, uses each of it once, answers what
 * the server asks, and ends with status 0 when every step came to a good end.
 *
 * The suite gives the server's URL as the last argument, and tells the revision and the
 * scenario's own wishes in the environment.
 */
import { answerInputs } from "./answer-input.ts";
import { type GatewayApi, gatewayApi, isRecord } from "./gateway-api.ts";
import { sampleObject } from "./sample-value.ts";

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

/** Times that one call may ask for input before the client gives up. */
const maxRounds = 5;
/** Scenarios whose server can only be asked for its list. */
const listOnly: ReadonlySet<string> = new Set(["json-schema-ref-no-deref"]);
/** Scenarios that want forms to be filled in unseen. */
const fillsForms: ReadonlySet<string> = new Set(["elicitation-sep1034-client-defaults"]);
const scenario = required("MCP_CONFORMANCE_SCENARIO");

await run(
  gatewayApi({
    url: required("GANGWAY_URL"),
    key: required("GANGWAY_KEY"),
    config: { tools: [serverUnderTest(process.argv.at(-1))] },
    fillsForms: fillsForms.has(scenario),
  }),
);

async function run(api: GatewayApi): Promise<void> {
  const tools = await listed(api, "tools");
  if (listOnly.has(scenario)) return;
  for (const call of wishedCalls() ?? callsOf(tools)) await callTool(api, call);
  for (const { name } of await listed(api, "prompts")) {
    await api.ask("/v1/prompts/get", { prompt: name });
  }
  for (const { uri } of await listed(api, "resources")) {
    await api.ask("/v1/resources/read", { uri });
  }
}

async function listed(api: GatewayApi, what: string): Promise<readonly Record<string, unknown>[]> {
  const { [what]: items, servers } = await api.ask(`/v1/${what}/list`, {});
  if (!Array.isArray(servers) || !servers.every((server) => isRecord(server) && server["ok"])) {
    throw new TypeError(`the list of ${what} failed: ${JSON.stringify(servers)}`);
  }
  return Array.isArray(items) ? items.filter(isRecord) : [];
}

async function callTool(api: GatewayApi, call: Call): Promise<void> {
  const request = { tool: call.name, arguments: call.arguments };
  let answer = await api.ask("/v1/tools/call", request);
  for (let round = 0; answer["status"] === "input_required"; round += 1) {
    if (round === maxRounds) throw new TypeError(`${call.name} asks for input without end`);
    answer = await api.ask("/v1/tools/call", {
      ...request,
      input_responses: answerInputs(answer["input_requests"]),
      request_state: answer["request_state"],
    });
  }
  if (answer["success"] !== true) throw new TypeError(`${call.name}: ${JSON.stringify(answer)}`);
}

/** The calls that the scenario asks for, where it has a wish. */
function wishedCalls(): readonly Call[] | null {
  const context: unknown = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
  const calls = isRecord(context) ? context["toolCalls"] : undefined;
  if (!Array.isArray(calls)) return null;
  return calls.map((call: unknown) => {
    const { name, arguments: args } = isRecord(call) ? call : {};
    return { name: String(name), arguments: isRecord(args) ? args : {} };
  });
}

/** One call of each listed tool; one that takes a schema is given the schema of the first tool. */
function callsOf(tools: readonly Record<string, unknown>[]): readonly Call[] {
  const schemas = tools.map((tool) => (isRecord(tool["input_schema"]) ? tool["input_schema"] : {}));
  return tools.map((tool, index) => {
    const sample = sampleObject(schemas[index] ?? {});
    const echoed = "schema" in sample ? { schema: schemas[0] } : {};
    return { name: String(tool["name"]), arguments: { ...sample, ...echoed } };
  });
}

function serverUnderTest(url: string | undefined): Record<string, unknown> {
  const protocol =
    required("MCP_CONFORMANCE_PROTOCOL_VERSION") === "2026-07-28" ? "auto" : "legacy";
  return { name: "suite", type: "mcp", transport: "http", url, protocol };
}

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new TypeError(`${name} is not set`);
  return value;
}
