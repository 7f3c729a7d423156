import type { McpSession } from "../../../shared/mcp/session.ts";
import type { OperationOptions } from "../../../shared/mcp/session-types.ts";
import type { Warning } from "../../../shared/content/call-result.ts";
import type { RunOperation } from "../../../shared/run-contract/contract.ts";

export interface OperationAnswer {
  readonly result: Record<string, unknown>;
  readonly warnings: readonly Warning[];
}

/** Runs one operation of the contract on a session; lists are answered whole. */
export async function operate(
  session: McpSession,
  operation: RunOperation,
  options: OperationOptions,
): Promise<OperationAnswer> {
  switch (operation.method) {
    case "tools/list": {
      const { items, warnings } = await session.listTools(options);
      return { result: { tools: items }, warnings };
    }
    case "prompts/list": {
      const { items, warnings } = await session.listPrompts(options);
      return { result: { prompts: items }, warnings };
    }
    case "tools/call":
      return session.callTool(operation.params.name, operation.params.arguments, options);
  }
}
