import * as z from "zod";
import { catalogueToolSchema } from "../../shared/api/catalogue-schema.ts";
import type { ServerConfig } from "../../shared/config/server-config.ts";
import type { ExampleCall, ExampleEdge } from "./examples.ts";
import { sampleArguments } from "./sample-arguments.ts";

/** A cold install of the server's package, and its start. */
const listMs = 90_000;

const listSchema = z.looseObject({
  tools: z.array(catalogueToolSchema).optional(),
  servers: z.array(z.looseObject({ error: errorOf().optional() })).optional(),
  error: errorOf().optional(),
});

function errorOf() {
  return z.looseObject({ code: z.string(), message: z.string(), hint: z.string() });
}

export interface ChosenCall {
  readonly call: ExampleCall;
  /** Why no real tool could be named; null when one is. */
  readonly problem: string | null;
}

/** A call of a real tool of `server`, which is asked for its list. */
export async function chooseCall(edge: ExampleEdge, server: ServerConfig): Promise<ChosenCall> {
  const { name } = server;
  const { tools = [], problem } = await listTools(edge, name);
  const call = callOf(tools);
  if (call !== null) return { call: { server: name, ...call }, problem: null };
  return { call: { server: name, tool: "TOOL", arguments: {} }, problem };
}

type Tool = z.infer<typeof catalogueToolSchema>;

/** Pasted as it is: a tool that only reads goes first, then one whose arguments are known. */
function callOf(tools: readonly Tool[]): Pick<ExampleCall, "tool" | "arguments"> | null {
  const calls = tools.map((tool) => ({ tool, sample: sampleArguments(tool.input_schema) }));
  const score = ({ tool, sample }: (typeof calls)[number]) =>
    (tool.annotations?.["readOnlyHint"] === true ? 0 : 2) + (sample === null ? 1 : 0);
  const [best] = calls.toSorted((a, b) => score(a) - score(b));
  return best === undefined ? null : { tool: best.tool.name, arguments: best.sample ?? {} };
}

async function listTools(
  { url, key }: ExampleEdge,
  server: string,
): Promise<{ readonly tools?: readonly Tool[] | undefined; readonly problem: string }> {
  try {
    const response = await fetch(`${url}/v1/tools/list`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ servers: [server] }),
      signal: AbortSignal.timeout(listMs),
    });
    const { tools, servers, error } = listSchema.parse(await response.json());
    const told = error ?? servers?.[0]?.error;
    const problem =
      told === undefined
        ? `Server '${server}' has no tools.`
        : `The tools of '${server}' could not be listed: ${told.code}: ${told.message}\n    ${told.hint}`;
    return { tools, problem };
  } catch {
    return { problem: `Server '${server}' did not list its tools within ${listMs / 1000} s.` };
  }
}
