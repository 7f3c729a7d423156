import type { Warning } from "../content/call-result.ts";
import { boundedWarnings } from "./bounded-warnings.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { namedSchemaKeywords, schemaKeywords } from "./schema-keywords.ts";
import type { Listing, ToolDefinition } from "./session-types.ts";
import { wholeOrLength } from "../errors/whole-or-length.ts";

/** The annotation by which a server wants an argument mirrored in a header. */
const mark = "x-mcp-header";
/** RFC 9110 §5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const mirroredTypes: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);

interface Place {
  readonly schema: JsonObject;
  /** The property or keyword that holds it; null for the whole schema. */
  readonly name: string | null;
  /** Only `properties` lead here: the argument has one place in every call. */
  readonly fixed: boolean;
}

/** Whether an input schema asks for arguments in headers. */
export function hasHeaderMarks(inputSchema: JsonObject): boolean {
  for (const { schema } of places(inputSchema)) if (Object.hasOwn(schema, mark)) return true;
  return false;
}

/** The tools whose annotations can be followed; the others are told in `warnings`. */
export function offerable(listing: Listing<ToolDefinition>): Listing<ToolDefinition> {
  const faults: Warning[] = [];
  const items = listing.items.filter(({ name, inputSchema }) => {
    const fault = headerMarkFault(inputSchema);
    if (fault !== null) faults.push({ code: "HEADER_MARK_INVALID", message: told(name, fault) });
    return fault === null;
  });
  return { ...listing, items, warnings: [...listing.warnings, ...boundedWarnings(faults)] };
}

function told(tool: string, fault: string): string {
  return `Tool ${JSON.stringify(wholeOrLength(tool, 80))} is left out: ${fault}.`;
}

/**
 * Why a tool's `x-mcp-header` annotations cannot be followed, null when they can. A client of
 * streamable HTTP must not offer a tool with such annotations.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/tools#x-mcp-header
 */
export function headerMarkFault(inputSchema: JsonObject): string | null {
  const names = new Set<string>();
  for (const place of places(inputSchema)) {
    if (!Object.hasOwn(place.schema, mark)) continue;
    const fault = faultOf(place, names);
    if (fault !== null) return `${mark} at '${wholeOrLength(place.name ?? "", 80)}' ${fault}`;
  }
  return null;
}

function faultOf({ schema, name: place, fixed }: Place, names: Set<string>): string | null {
  const name = schema[mark];
  if (!fixed || place === null) return "is not on a property of the arguments";
  if (typeof name !== "string" || !token.test(name)) return "is no header name";
  if (!mirroredTypes.has(schema["type"])) return "is not on a string, integer or boolean";
  const key = name.toLowerCase();
  if (names.has(key)) return "repeats a name";
  names.add(key);
  return null;
}

/** Every schema inside a schema, itself included. A loop: a peer's schema may be of any depth. */
function* places(root: JsonObject): Generator<Place, void, undefined> {
  const open: Place[] = [{ schema: root, name: null, fixed: true }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    yield place;
    for (const inner of inside(place)) open.push(inner);
  }
}

function* inside({ schema, fixed }: Place): Generator<Place, void, undefined> {
  for (const [keyword, value] of Object.entries(schema)) {
    const named = namedSchemaKeywords.has(keyword) && isJsonObject(value);
    if (!named && !schemaKeywords.has(keyword)) continue;
    const schemas = named
      ? Object.entries(value)
      : listed(value).map((inner) => [keyword, inner] as const);
    for (const [name, inner] of schemas) {
      if (!isJsonObject(inner)) continue;
      yield { schema: inner, name, fixed: fixed && keyword === "properties" };
    }
  }
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
