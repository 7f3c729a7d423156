import { Diagnostics } from "../diagnostics.ts";
import { readNativeKeys } from "../server/check-keys.ts";
import { impliedField, type ServerDraft } from "../server/draft.ts";
import { suggest } from "../server/suggest.ts";
import {
  child,
  entryOf,
  keyPlace,
  type MapNode,
  scalarAt,
  text,
  type TreeNode,
} from "../tree/node.ts";
import { describe } from "../server/describe.ts";
import type { Dialect } from "./dialect.ts";

/** The native form: a `tools:` list, the global `mcp_servers:` list, or one server by itself. */
export const native: Dialect = {
  id: "native",
  title: "Gangway (agent.yaml)",
  files: ["agent.yaml", "agent.yml"],
  client: null,
  json: "commas",
  matches: (root) => isGlobal(root) || isAgent(root) || isSingle(root),
  hasSection: (root) =>
    child(root, "tools") !== undefined ||
    child(root, "mcp_servers") !== undefined ||
    isSingle(root),
  read: readNative,
};

function isGlobal(root: TreeNode): boolean {
  return child(root, "mcp_servers")?.kind === "list";
}

function isAgent(root: TreeNode): boolean {
  const tools = child(root, "tools");
  return (
    tools?.kind === "list" &&
    (tools.items.length === 0 ||
      tools.items.some((tool) => text(child(tool, "type")) !== undefined || looksLikeServer(tool)))
  );
}

function isSingle(root: TreeNode): boolean {
  if (text(child(root, "type")) === "mcp") return true;
  return (
    text(child(root, "name")) !== undefined &&
    ["command", "server", "transport"].some((key) => text(child(root, key)) !== undefined)
  );
}

function readNative(root: TreeNode, diagnostics: Diagnostics): readonly ServerDraft[] {
  const servers = entryOf(root, "mcp_servers");
  const tools = entryOf(root, "tools");
  if (servers === undefined && tools === undefined && isSingle(root))
    return [draftOf(root, "the server")];
  const drafts: ServerDraft[] = [];
  if (servers !== undefined) {
    checkVersion(root, diagnostics);
    drafts.push(...readServerList(servers.value, "mcp_servers", diagnostics));
  }
  if (tools !== undefined) drafts.push(...readServerList(tools.value, "tools", diagnostics));
  if (servers === undefined && tools === undefined) reportNothing(root, diagnostics);
  return drafts;
}

function reportNothing(root: TreeNode, diagnostics: Diagnostics): void {
  if (root.kind !== "map") {
    diagnostics.report("GW112", root, `The document must be a map, got ${describe(root)}`);
    return;
  }
  const near = root.entries.find(({ key }) => suggest(key, ["mcp_servers", "tools"]) !== null);
  const question =
    near === undefined
      ? ""
      : ` Did you mean '${suggest(near.key, ["mcp_servers", "tools"])}' instead of '${near.key}'?`;
  diagnostics.report(
    "GW110",
    near === undefined ? root : keyPlace(near),
    `The document has no \`tools\` and no \`mcp_servers\`.${question}`,
    near === undefined ? listHint(root) : undefined,
  );
}

/** Keys under which clients look for a map of servers. */
const mapKeys: ReadonlySet<string> = new Set(["servers", "mcpServers", "context_servers", "mcp"]);

/** A list where clients look for a map is read by nobody. */
function listHint(root: MapNode): string | undefined {
  const entry = root.entries.find(({ key, value }) => mapKeys.has(key) && value.kind === "list");
  if (entry === undefined) return undefined;
  return `Write the list under \`tools\` (each entry with \`type: mcp\`), or \`${entry.key}\` as a map of names to servers.`;
}

function checkVersion(root: TreeNode, diagnostics: Diagnostics): void {
  const version = entryOf(root, "version");
  if (version === undefined) {
    diagnostics.report(
      "GW131",
      entryOf(root, "mcp_servers")?.value ?? root,
      "The global config has no version.",
    );
  } else if (text(version.value) !== "1.0") {
    diagnostics.report(
      "GW132",
      version.value,
      `'version' must be "1.0" (as text), got ${describe(version.value, true)}`,
    );
  }
}

/** The servers of a `tools:` or `mcp_servers:` list. */
export function readServerList(
  list: TreeNode,
  key: "tools" | "mcp_servers",
  diagnostics: Diagnostics,
): ServerDraft[] {
  if (list.kind === "scalar" && list.value === null) return [];
  if (list.kind !== "list") {
    diagnostics.report("GW112", list, `'${key}' must be a list, got ${describe(list)}`);
    return [];
  }
  return list.items.flatMap((item, index) => {
    if (key === "tools" && !isServer(item)) return [];
    return [draftOf(item, `${key}[${index}]`, key === "mcp_servers")];
  });
}

/** `type: mcp`, also misspelt; or no type at all where the fields are a server's. */
function isServer(item: TreeNode): boolean {
  const type = text(child(item, "type"));
  if (type === undefined) return looksLikeServer(item);
  return (
    type.trim().toLowerCase() === "mcp" ||
    (looksLikeServer(item) && suggest(type, ["mcp"]) !== null)
  );
}

/** Two fields that only servers have, or one that names what to reach. */
function looksLikeServer(item: TreeNode): boolean {
  return (
    ["command", "server", "transport", "registry_name"].some(
      (key) => child(item, key) !== undefined,
    ) ||
    (child(item, "url") !== undefined && child(item, "headers") !== undefined)
  );
}

/** Reads one entry of the native form. `typeImplied`: the list itself says that entries are servers. */
function draftOf(node: TreeNode, label: string, typeImplied = false): ServerDraft {
  const diagnostics = new Diagnostics();
  if (node.kind !== "map")
    diagnostics.report("GW112", node, `A server must be a map, got ${describe(node)}`);
  const fields = node.kind === "map" ? readNativeKeys(node, diagnostics) : new Map<string, never>();
  const draft: ServerDraft = {
    place: node,
    label,
    fields: new Map(fields),
    diagnostics,
    native: true,
  };
  if (typeImplied && !draft.fields.has("type"))
    draft.fields.set("type", impliedField("type", scalarAt(node, "mcp")));
  return draft;
}

/** Names of all entries of `tools:`, servers or not: a name is unique among them. */
export function otherToolNames(root: TreeNode): readonly string[] {
  const tools = child(root, "tools");
  if (tools?.kind !== "list") return [];
  return tools.items
    .filter((item) => !isServer(item))
    .flatMap((item) => text(child(item, "name")) ?? []);
}
