import { readCacheHint } from "../../../shared/mcp/cache-hint.ts";
import { type ListMethod, listMembers } from "../../../shared/mcp/operation.ts";
import type { OperationOptions } from "../../../shared/mcp/session-types.ts";
import type { KeptList } from "./list-cache.ts";
import type { OperationContext } from "./operation-context.ts";
import type { PreparedServer } from "./prepare.ts";

export interface ListWish {
  readonly method: ListMethod;
  readonly options: OperationOptions;
  /** Ask the server even where the list was kept. */
  readonly refresh: boolean;
}

export interface ListedDefinitions extends KeptList {
  /** It was kept from an earlier request, here or by the runner. */
  readonly cached: boolean;
}

/** One server's whole list, as it came: kept from before, or asked for and kept. */
export async function listDefinitions(
  { identity, open }: PreparedServer,
  { method, options, refresh }: ListWish,
  context: OperationContext,
): Promise<ListedDefinitions> {
  const { lists } = context.deps;
  const { caller, subject } = context;
  const { capabilities } = options;
  const key = { tenant: caller.tenant, subject, server: identity, method, capabilities };
  const kept = refresh ? undefined : lists.get(key);
  if (kept !== undefined) return { ...kept, cached: true };
  context.contacting();
  const {
    result,
    warnings,
    kept: cached = false,
  } = await open.run({ method }, { ...options, refresh });
  const items: unknown = result[listMembers[method]];
  const { era, protocolVersion } = open.facts();
  const list = { items: Array.isArray(items) ? items : [], warnings, era, protocolVersion };
  lists.set(key, list, readCacheHint(result));
  return { ...list, cached };
}
