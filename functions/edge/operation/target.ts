import type { CompletionReference, McpOperation } from "../../../shared/mcp/operation.ts";

/** What one operation asks a server for, in the caller's words: names may be public ones. */
export type Target =
  | {
      readonly kind: "tool";
      readonly name: string;
      readonly arguments: Record<string, unknown>;
    }
  | {
      readonly kind: "prompt";
      readonly name: string;
      readonly arguments: Record<string, string>;
    }
  | { readonly kind: "resource"; readonly uri: string }
  | ({ readonly kind: "completion" } & CompletionTarget);

type CompletionParams = Extract<McpOperation, { method: "completion/complete" }>["params"];

interface CompletionTarget {
  readonly ref: CompletionReference;
  readonly argument: CompletionParams["argument"];
  readonly context?: CompletionParams["context"];
}

const methods = {
  tool: "tools/call",
  prompt: "prompts/get",
  resource: "resources/read",
  completion: "completion/complete",
} as const satisfies Record<Target["kind"], McpOperation["method"]>;

/** The MCP method of an operation. */
export function methodOf({ kind }: Target): McpOperation["method"] {
  return methods[kind];
}
