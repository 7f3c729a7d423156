import { cacheMembers } from "./cache-hint.ts";
import { type ListMethod, listMembers, type McpOperation } from "./operation.ts";
import type { McpSession } from "./session.ts";
import type { Listing, OperationOptions, OperationResult } from "./session-types.ts";

/**
 * Runs one operation on a session. A list is answered whole, as one page that holds every item.
 * The promise rejects with the GatewayErrors of the session.
 */
export async function operate(
  session: McpSession,
  operation: McpOperation,
  options: OperationOptions,
): Promise<OperationResult> {
  switch (operation.method) {
    case "tools/list":
      return onePage(operation.method, await session.listTools(options));
    case "prompts/list":
      return onePage(operation.method, await session.listPrompts(options));
    case "resources/list":
      return onePage(operation.method, await session.listResources(options));
    case "resources/templates/list":
      return onePage(operation.method, await session.listResourceTemplates(options));
    case "tools/call": {
      const { name, arguments: args, ...continuation } = operation.params;
      return session.callTool(name, args, options, continuation);
    }
    case "prompts/get": {
      const { name, arguments: args, ...continuation } = operation.params;
      return session.getPrompt(name, args, options, continuation);
    }
    case "resources/read":
    case "completion/complete":
      return session.request(operation.method, operation.params, options);
  }
}

function onePage(method: ListMethod, { items, warnings, cache }: Listing<object>): OperationResult {
  return { result: { [listMembers[method]]: items, ...cacheMembers(cache) }, warnings };
}
