import { isJsonObject } from "../../../shared/mcp/json.ts";
import type { OperationOptions, ToolDefinition } from "../../../shared/mcp/session-types.ts";
import type { OperationContext } from "./operation-context.ts";
import type { PreparedServer } from "./prepare.ts";

/**
 * A tool's definition where the server's list was kept, of these capabilities rather than of none;
 * no server is asked for it.
 */
export function knownTool(
  name: string,
  { capabilities }: Pick<OperationOptions, "capabilities">,
  { prepared, context }: { readonly prepared: PreparedServer; readonly context: OperationContext },
): ToolDefinition | undefined {
  const { caller, subject, deps } = context;
  const key = {
    tenant: caller.tenant,
    subject,
    server: prepared.identity,
    method: "tools/list",
  } as const;
  const tool: unknown = [capabilities, undefined]
    .flatMap((told) => deps.lists.get({ ...key, capabilities: told })?.items ?? [])
    .find((item) => isJsonObject(item) && item["name"] === name);
  const inputSchema = isJsonObject(tool) ? tool["inputSchema"] : undefined;
  return isJsonObject(inputSchema) ? { name, inputSchema } : undefined;
}
