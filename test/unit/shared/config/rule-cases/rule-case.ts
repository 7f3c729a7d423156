import type { ReadOptions } from "../../../../../shared/config/read-config.ts";

/**
 * A text in which a rule fires, and the smallest edit of it in which it does not. `⟦` stands
 * where the finding is expected to begin.
 */
export interface RuleCase {
  readonly fires: string;
  readonly misses: string;
  readonly path?: string;
  readonly options?: ReadOptions;
}

/** One stdio server in the native form, with more lines of YAML. */
export function stdio(lines: string, rest = 'command: npx\n    args: [-y, "pkg@1.0.0"]'): string {
  return `tools:\n  - name: one\n    type: mcp\n    description: A server\n    ${rest}\n    ${lines}\n`;
}

export function launch(command: string, args: string, more = "description: A server"): string {
  return `tools:\n  - name: one\n    type: mcp\n    command: ${command}\n    args: ${args}\n    ${more}\n`;
}

export function remote(url: string, more = "description: A server"): string {
  return `tools:\n  - name: one\n    type: mcp\n    transport: http\n    url: ${url}\n    ${more}\n`;
}
