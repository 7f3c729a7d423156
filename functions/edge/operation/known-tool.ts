import { isJsonObject } from "../../../shared/mcp/json.ts";
import type { ToolDefinition } from "../../../shared/mcp/session-types.ts";
import type { OperationContext } from "./operation-context.ts";
import type { PreparedServer } from "./prepare.ts";

/** A tool's definition where the server's list was kept; no server is asked for it. */
export function knownTool(
  name: string,
  { identity }: PreparedServer,
  { caller, subject, deps }: OperationContext,
): ToolDefinition | undefined {
  const key = { tenant: caller.tenant, subject, server: identity, method: "tools/list" } as const;
  const tool: unknown = deps.lists
    .get(key)
    ?.items.find((item) => isJsonObject(item) && item["name"] === name);
  const inputSchema = isJsonObject(tool) ? tool["inputSchema"] : undefined;
  return isJsonObject(inputSchema) ? { name, inputSchema } : undefined;
}
