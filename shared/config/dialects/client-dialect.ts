import { Diagnostics } from "../diagnostics.ts";
import { describe } from "../server/describe.ts";
import type { ServerDraft } from "../server/draft.ts";
import { suggest } from "../server/suggest.ts";
import { child, entryOf, keyPlace, text, type MapEntry, type TreeNode } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import type { Client } from "./client.ts";
import type { Dialect } from "./dialect.ts";
import { giveNames } from "./give-names.ts";
import { declaredInputs } from "./input-names.ts";
import { readEntry, type ClientEntry } from "./read-entry.ts";

/** The dialect of one client. */
export function clientDialect(client: Client): Dialect {
  return {
    id: client.id,
    title: client.title,
    files: client.files,
    client,
    json: client.json,
    matches: (root) => root.kind === "map" && client.matches(root),
    hasSection: (root) => findSection(client, root) !== undefined,
    read: (root, diagnostics) => readClient(client, root, diagnostics),
  };
}

function readClient(
  client: Client,
  root: TreeNode,
  diagnostics: Diagnostics,
): readonly ServerDraft[] {
  const section = findSection(client, root);
  if (section === undefined) {
    reportMissing(client, root, diagnostics);
    return [];
  }
  const declared = declaredInputs(root, diagnostics);
  const drafts = entriesOf(client, section, diagnostics).flatMap(
    (entry) => readEntry(client, entry, { declared, document: diagnostics }) ?? [],
  );
  giveNames(drafts);
  return drafts;
}

function findSection(client: Client, root: TreeNode): TreeNode | undefined {
  for (const path of client.sections) {
    const node = path.reduce<TreeNode | undefined>(child, root);
    if (node !== undefined) return node;
  }
  return undefined;
}

/** No section: a misspelt key is an error, a file without servers is none. */
function reportMissing(client: Client, root: TreeNode, diagnostics: Diagnostics): void {
  const keys = client.sections.map((path) => path[0] ?? "");
  const [usual = ""] = keys;
  if (root.kind !== "map") {
    const what =
      text(root) === undefined && root.kind === "scalar"
        ? "The document is empty."
        : `The document must be a map, got ${describe(root)}.`;
    diagnostics.report("GW110", root, what);
    return;
  }
  const near = root.entries.find(({ key }) => suggest(key, keys) !== null);
  if (near === undefined) return;
  diagnostics.report(
    "GW110",
    keyPlace(near),
    `${client.title} looks for '${usual}'. Did you mean '${usual}' instead of '${shorten(near.key)}'?`,
  );
}

function entriesOf(client: Client, section: TreeNode, diagnostics: Diagnostics): ClientEntry[] {
  if (section.kind === "scalar" && section.value === null) return [];
  if (client.layout === "list" && section.kind === "list") return section.items.map(listEntry);
  if (client.layout === "map" && section.kind === "map")
    return section.entries.flatMap((entry) => mapEntry(entry, diagnostics) ?? []);
  if (section.kind === "list" && section.items.length === 0) return [];
  diagnostics.report(
    "GW112",
    section,
    `${client.title} wants a ${client.layout} of servers here, got ${describe(section)}.`,
  );
  return [];
}

function listEntry(node: TreeNode, index: number): ClientEntry {
  const name = entryOf(node, "name")?.value;
  return { name: text(name) ?? `server_${index + 1}`, namePlace: name ?? node, node };
}

/** Texts under keys such as `_comment`, and anything under `//…`, are notes in a format without comments. */
function mapEntry(entry: MapEntry, diagnostics: Diagnostics): ClientEntry | null {
  const isNote =
    /^(?:#|\/\/)/.test(entry.key) ||
    (entry.value.kind !== "map" && /^(?:[_$]|comment|note)/i.test(entry.key));
  if (!isNote) return { name: entry.key, namePlace: keyPlace(entry), node: entry.value };
  diagnostics.report(
    "GW136",
    keyPlace(entry),
    `'${shorten(entry.key)}' is not a server and was skipped.`,
  );
  return null;
}
