import { toolAllowed } from "../../../shared/catalogue/allowed.ts";
import { findOriginal } from "../../../shared/catalogue/names.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { OperationOptions, OperationResult } from "../../../shared/mcp/session-types.ts";
import { authoriseTool } from "./authorise.ts";
import type { OpenServer } from "./open-server.ts";
import type { UsableServer } from "./select.ts";

export interface ToolRun {
  /** Original, public or qualified name. */
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  readonly options: OperationOptions;
}

export interface ToolAnswer {
  /** The tool's original name. */
  readonly tool: string;
  readonly answer: OperationResult;
}

/**
 * Calls a tool by any of its names. A legal original name is its own public name, so most calls
 * need no list. Where the server does not know the name (some answer that with an error, some
 * with an error result), or the config does not allow it as written, the server's list decides:
 * a changed name is translated and called once, an unknown one is TOOL_NOT_FOUND, a listed one
 * keeps the answer that it got.
 * @throws GatewayError TOOL_NOT_ALLOWED, TOOL_NOT_FOUND, and what the session throws
 */
export async function runTool(
  server: UsableServer,
  open: OpenServer,
  call: ToolRun,
): Promise<ToolAnswer> {
  const first = await attempt(server, open, call);
  if (!first.doubtful) return { tool: call.tool, answer: first.settle() };
  const originals = await listOriginals(open, call);
  if (originals === null) return { tool: call.tool, answer: first.settle() };
  const original = await findOriginal(call.tool, server.name, originals);
  if (original === undefined) throw notFound(server, call.tool);
  if (original === call.tool) return { tool: call.tool, answer: first.settle() };
  authoriseTool(server, original);
  return { tool: original, answer: await open.callTool(original, call.arguments, call.options) };
}

interface Attempt {
  /** Another name may be meant; the tool has not run under this one. */
  readonly doubtful: boolean;
  readonly settle: () => OperationResult;
}

async function attempt(server: UsableServer, open: OpenServer, call: ToolRun): Promise<Attempt> {
  const allowed = toolAllowed(server.config, call.tool);
  if (!allowed.ok && allowed.field !== "allowed_tools") authoriseTool(server, call.tool);
  try {
    authoriseTool(server, call.tool);
    const answer = await open.callTool(call.tool, call.arguments, call.options);
    return { doubtful: answer.result["isError"] === true, settle: () => answer };
  } catch (error) {
    if (!(error instanceof GatewayError) || !doubtfulCodes.has(error.code)) throw error;
    const settle = () => {
      throw error;
    };
    return { doubtful: true, settle };
  }
}

const doubtfulCodes: ReadonlySet<string> = new Set([
  "TOOL_NOT_ALLOWED",
  "TOOL_NOT_FOUND",
  "INVALID_PARAMS",
]);

/** The server's own tool names; null when it will not list them, and so cannot be asked. */
async function listOriginals(open: OpenServer, call: ToolRun): Promise<string[] | null> {
  try {
    const { items } = await open.listTools(call.options);
    return items.map(({ name }) => name);
  } catch {
    return null; // the call's own answer is the better one to tell
  }
}

function notFound(server: UsableServer, tool: string): GatewayError {
  return new GatewayError(
    "TOOL_NOT_FOUND",
    `Tool '${tool.slice(0, 128)}' not found on server '${server.name}'.`,
    { server: server.name },
  );
}
