import type { Warning } from "../content/call-result.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type CacheHint, narrower, readCacheHint } from "./cache-hint.ts";
import { boundedWarnings } from "./bounded-warnings.ts";
import type { JsonObject } from "./json.ts";
import type { listMembers } from "./operation.ts";
import type { DefinitionReader } from "./read-definition.ts";
import type { Listing } from "./session-types.ts";

/** Entries of one list that are read. */
const maxItems = 10_000;
/** Characters of JSON after which no further page is asked for. */
const maxSize = 16 * 1024 * 1024;

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
  /** Entries of all pages, those too that could not be read. */
  const taken = { entries: 0 };
  const seen = new Set<string>();
  const hints: (CacheHint | null)[] = [];
  let cursor: string | null = null;
  let size = 0;
  for (let page = 1; ; page += 1) {
    const result = await request.fetchPage(cursor === null ? {} : { cursor });
    const before = items.length;
    const whole = readPage(result, request, { items, warnings, taken });
    hints.push(readCacheHint(result));
    if (!whole) return { items, warnings: [...boundedWarnings(warnings), tooManyItems()] };
    cursor = nextCursor(result);
    if (cursor === null) return { items, warnings: boundedWarnings(warnings), ...cacheOf(hints) };
    size += JSON.stringify(items.slice(before)).length;
    const stop = stopReason({ cursor, seen, page, size }, request.maxPages);
    if (stop !== null) return { items, warnings: [...boundedWarnings(warnings), stop] };
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

/** What the pages have held so far. */
interface Found<Item> {
  readonly items: Item[];
  readonly warnings: Warning[];
  readonly taken: { entries: number };
}

/** Adds the page's items; false where there are more of them than a list may have. */
function readPage<Item>(
  result: JsonObject,
  { member, read }: ListRequest<Item>,
  { items, warnings, taken }: Found<Item>,
): boolean {
  const page: unknown = result[member];
  if (!Array.isArray(page)) {
    warnings.push({
      code: "FIELD_REPAIRED",
      message: `A page holds no list of ${member}; it counts as empty.`,
    });
    return true;
  }
  for (const entry of page) {
    if (taken.entries === maxItems) return false;
    taken.entries += 1;
    const item = read(entry, `${member}[${items.length}]`, warnings);
    if (item !== null) items.push(item);
  }
  return true;
}

function tooManyItems(): Warning {
  const message = `The list holds more than ${maxItems} entries; the rest is left out.`;
  return { code: "LIST_TOO_LONG", message };
}

function nextCursor(result: JsonObject): string | null {
  const cursor = result["nextCursor"];
  return typeof cursor === "string" && cursor !== "" ? cursor : null;
}

interface Walk {
  readonly cursor: string;
  readonly seen: ReadonlySet<string>;
  /** Pages read so far, and the size of their items. */
  readonly page: number;
  readonly size: number;
}

function stopReason({ cursor, seen, page, size }: Walk, maxPages: number): Warning | null {
  if (seen.has(cursor)) {
    return {
      code: "LIST_CURSOR_LOOP",
      message: "The server's pages go in a circle; the rest is left out.",
    };
  }
  if (size > maxSize) {
    const message = `The list is larger than ${maxSize} characters; the rest is left out.`;
    return { code: "LIST_TOO_LONG", message };
  }
  if (page < maxPages) return null;
  return {
    code: "LIST_TOO_LONG",
    message: `The list does not end after ${maxPages} pages; the rest is left out.`,
  };
}
