import type { Warning } from "../content/call-result.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type CacheHint, narrower, readCacheHint } from "./cache-hint.ts";
import type { JsonObject } from "./json.ts";
import type { listMembers } from "./operation.ts";
import type { DefinitionReader } from "./read-definition.ts";
import type { Listing } from "./session-types.ts";

export interface ListRequest<Item> {
  /** Member of the result that holds the items. */
  readonly member: (typeof listMembers)[keyof typeof listMembers];
  readonly read: DefinitionReader<Item>;
  readonly maxPages: number;
  /** Asks for one page. */
  readonly fetchPage: (params: JsonObject) => Promise<JsonObject>;
}

/**
 * Every item of a paged list. A cursor that comes back or a list without end stops the walk with
 * a warning, and what was read by then is kept. https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
 */
export async function listPages<Item>(request: ListRequest<Item>): Promise<Listing<Item>> {
  const items: Item[] = [];
  const warnings: Warning[] = [];
  const seen = new Set<string>();
  const hints: (CacheHint | null)[] = [];
  let cursor: string | null = null;
  for (let page = 1; ; page += 1) {
    const result = await request.fetchPage(cursor === null ? {} : { cursor });
    readPage(result, request, items, warnings);
    hints.push(readCacheHint(result));
    cursor = nextCursor(result);
    if (cursor === null) return { items, warnings, ...cacheOf(hints) };
    const stop = stopReason(cursor, seen, page, request.maxPages);
    if (stop !== null) return { items, warnings: [...warnings, stop] };
    seen.add(cursor);
  }
}

/** A list may be kept as long as all of its pages. */
function cacheOf(hints: readonly (CacheHint | null)[]): { readonly cache?: CacheHint } {
  const told = hints.filter((hint) => hint !== null);
  const [first, ...rest] = told;
  if (first === undefined || told.length < hints.length) return {};
  return { cache: rest.reduce(narrower, first) };
}

/** A server without lists of this kind answers "no such method": that is an empty list. */
export function isNoSuchList(error: unknown): boolean {
  return error instanceof GatewayError && error.details?.["rpc_code"] === -32601;
}

function readPage<Item>(
  result: JsonObject,
  { member, read }: ListRequest<Item>,
  items: Item[],
  warnings: Warning[],
): void {
  const page: unknown = result[member];
  if (!Array.isArray(page)) {
    warnings.push({
      code: "FIELD_REPAIRED",
      message: `A page holds no list of ${member}; it counts as empty.`,
    });
    return;
  }
  for (const entry of page) {
    const item = read(entry, `${member}[${items.length}]`, warnings);
    if (item !== null) items.push(item);
  }
}

function nextCursor(result: JsonObject): string | null {
  const cursor = result["nextCursor"];
  return typeof cursor === "string" && cursor !== "" ? cursor : null;
}

function stopReason(
  cursor: string,
  seen: ReadonlySet<string>,
  page: number,
  maxPages: number,
): Warning | null {
  if (seen.has(cursor)) {
    return {
      code: "LIST_CURSOR_LOOP",
      message: "The server's pages go in a circle; the rest is left out.",
    };
  }
  if (page < maxPages) return null;
  return {
    code: "LIST_TOO_LONG",
    message: `The list does not end after ${maxPages} pages; the rest is left out.`,
  };
}
