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
 * need no list. Where the server has no tool of that name, or the config does not allow it as
 * written, the name may be a changed one: the server's list then gives the original.
 * @throws GatewayError TOOL_NOT_ALLOWED, TOOL_NOT_FOUND, and what the session throws
 */
export async function runTool(
  server: UsableServer,
  open: OpenServer,
  call: ToolRun,
): Promise<ToolAnswer> {
  try {
    authoriseTool(server, call.tool);
    const answer = await open.callTool(call.tool, call.arguments, call.options);
    return { tool: call.tool, answer };
  } catch (error) {
    if (!mayBeChangedName(error, server, call.tool)) throw error;
    const original = await originalName(server, open, call);
    if (original === undefined || original === call.tool) throw error;
    authoriseTool(server, original);
    return { tool: original, answer: await open.callTool(original, call.arguments, call.options) };
  }
}

/** Nothing ran under this name, and no list of the config names it. */
function mayBeChangedName(error: unknown, server: UsableServer, tool: string): boolean {
  if (!(error instanceof GatewayError)) return false;
  if (error.code === "TOOL_NOT_FOUND") return true;
  const allowed = toolAllowed(server.config, tool);
  return error.code === "TOOL_NOT_ALLOWED" && !allowed.ok && allowed.field === "allowed_tools";
}

async function originalName(
  server: UsableServer,
  open: OpenServer,
  call: ToolRun,
): Promise<string | undefined> {
  const { items } = await open.listTools(call.options);
  const originals = items.map(({ name }) => name);
  return findOriginal(call.tool, server.name, originals);
}
