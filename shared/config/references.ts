import type { ServerConfig } from "./server-config.ts";
import { childPointer } from "./tree/node.ts";

/** The parts of a server's entry that may hold references. */
export type ReferencePlace = "env" | "headers" | "config" | "args" | "url";

/** One `${NAME}` in a server's entry. */
export interface Reference {
  readonly name: string;
  /** JSON Pointer of the string that holds the reference. */
  readonly pointer: string;
  readonly place: ReferencePlace;
}

/** `$${NAME}` (a literal) before `${NAME}` (a reference), so that the escape wins. */
const pattern = /\$\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** Names that a string refers to, in order, repeats included. */
export function referencedNames(value: string): string[] {
  const names: string[] = [];
  if (!value.includes("${")) return names;
  // `matchAll` would copy the pattern for each of many texts.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(value); match !== null; match = pattern.exec(value))
    if (match[2] !== undefined) names.push(match[2]);
  return names;
}

/** The string with nothing in the place of each reference; escaped ones stay. */
export function withoutReferences(value: string): string {
  if (!value.includes("${")) return value;
  return value.replace(pattern, (whole, escaped: string | undefined) =>
    escaped === undefined ? "" : whole,
  );
}

/** Index of the query's first character in a URL's text; the text's length when there is none. */
export function queryStart(url: string): number {
  const mark = url.indexOf("?");
  const hash = url.indexOf("#");
  return mark === -1 || (hash !== -1 && hash < mark) ? url.length : mark + 1;
}

/**
 * Every reference of a server's entry: env, headers, config, args and the query of url.
 * Pointers start with `basePointer`, the entry's own.
 */
export function findReferences(server: ServerConfig, basePointer: string): Reference[] {
  const found: Reference[] = [];
  const at = (place: ReferencePlace) => (value: string, pointer: string) => {
    for (const name of referencedNames(value)) found.push({ name, pointer, place });
    return value;
  };
  mapStrings(server.env, `${basePointer}/env`, at("env"));
  mapStrings(server.headers, `${basePointer}/headers`, at("headers"));
  mapStrings(server.config ?? null, `${basePointer}/config`, at("config"));
  mapStrings(server.args, `${basePointer}/args`, at("args"));
  const url = server.url ?? "";
  at("url")(url.slice(queryStart(url)), `${basePointer}/url`);
  return found;
}

/**
 * The entry with values in place of references: one pass over the parsed strings, so that a value
 * which itself holds `${…}` stays as it is. `$${NAME}` becomes the text `${NAME}`. A name without
 * a value keeps its reference; values in a URL's query are percent-encoded.
 */
export function expandReferences(
  server: ServerConfig,
  values: ReadonlyMap<string, string>,
): ServerConfig {
  const expand = (value: string) => expandString(value, values);
  return {
    ...server,
    env: expandRecord(server.env, expand),
    headers: expandRecord(server.headers, expand),
    args: server.args.map(expand),
    ...(server.config === undefined ? {} : { config: expandConfig(server.config, expand) }),
    ...(server.url === undefined ? {} : { url: expandUrl(server.url, values) }),
  };
}

function expandString(value: string, values: ReadonlyMap<string, string>): string {
  if (!value.includes("${")) return value;
  return value.replace(pattern, (whole, escaped: string | undefined, name: string | undefined) => {
    if (escaped !== undefined) return whole.slice(1);
    return values.get(name ?? "") ?? whole;
  });
}

function expandUrl(url: string, values: ReadonlyMap<string, string>): string {
  const start = queryStart(url);
  const encoded = new Map([...values].map(([name, value]) => [name, encodeURIComponent(value)]));
  return url.slice(0, start) + expandString(url.slice(start), encoded);
}

function expandRecord(
  record: Readonly<Record<string, string>>,
  expand: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, expand(value)]));
}

function expandConfig(
  config: Record<string, unknown>,
  expand: (value: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, mapStrings(value, "", expand)]),
  );
}

/** A copy of plain data with every string value (never a key) passed through `change`. */
function mapStrings(
  value: unknown,
  pointer: string,
  change: (value: string, pointer: string) => string,
): unknown {
  if (typeof value === "string") return change(value, pointer);
  if (Array.isArray(value))
    return value.map((item, index) => mapStrings(item, childPointer(pointer, index), change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      mapStrings(member, childPointer(pointer, key), change),
    ]),
  );
}
