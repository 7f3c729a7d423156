import { isNestedDeeper, maxNesting } from "../../../shared/content/nesting.ts";
import { refuseBottomless } from "../../../shared/content/raw-result.ts";
import { listMembers, type ListMethod } from "../../../shared/mcp/operation.ts";
import type { OperationResult } from "../../../shared/mcp/session-types.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";

/**
 * An answer that can be written as JSON again. Of a list, definitions that are nested too deep are
 * left out with a warning, as the edge does.
 * @throws GatewayError RESPONSE_INVALID, `executed: yes`, for any other result that is.
 */
export function shallow(
  answer: OperationResult,
  { operation, server }: Pick<RunRequest, "operation" | "server">,
): OperationResult {
  const list = listOf(operation.method, answer);
  if (list === null) {
    refuseBottomless(answer.result, `of ${operation.method} of server '${server}'`, server);
    return answer;
  }
  const items = list.items.filter((item) => !isNestedDeeper(item, maxNesting));
  if (items.length === list.items.length) return answer;
  return {
    result: { ...answer.result, [list.member]: items },
    warnings: [...answer.warnings, tooDeep(list.items.length - items.length, list.member)],
  };
}

function listOf(method: string, { result }: OperationResult) {
  if (!isListMethod(method)) return null;
  const member = listMembers[method];
  const items: unknown = result[member];
  return Array.isArray(items) ? { member, items: items as readonly unknown[] } : null;
}

function isListMethod(method: string): method is ListMethod {
  return Object.hasOwn(listMembers, method);
}

function tooDeep(count: number, member: string) {
  return {
    code: "DEFINITION_TOO_DEEP",
    message: `${count} of the server's ${member} are nested more than ${maxNesting} levels deep and are left out.`,
  };
}
