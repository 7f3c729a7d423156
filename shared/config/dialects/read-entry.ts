import { Diagnostics } from "../diagnostics.ts";
import { describe } from "../server/describe.ts";
import { fieldOf, impliedField, type Field, type ServerDraft } from "../server/draft.ts";
import { suggest } from "../server/suggest.ts";
import {
  keyPlace,
  scalarAt,
  type MapEntry,
  type MapNode,
  type Place,
  type TreeNode,
} from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import type { Client, FieldUse } from "./client.ts";
import type { InputNames } from "./input-names.ts";
import { normaliseCommand } from "./normalise-command.ts";
import { normaliseEnv } from "./normalise-env.ts";
import { normaliseTransport } from "./normalise-transport.ts";
import { translateReferences } from "./translate-references.ts";

/** One entry of a client's servers, before its fields are looked at. */
export interface ClientEntry {
  readonly name: string;
  readonly namePlace: Place;
  readonly node: TreeNode;
}

export interface EntryContext {
  /** The inputs that the file declares. */
  readonly declared: InputNames;
  /** For entries that are skipped: they have no draft to carry a finding. */
  readonly document: Diagnostics;
}

/** One client's entry as a draft in the native form; null for entries that are no MCP servers. */
export function readEntry(
  client: Client,
  entry: ClientEntry,
  context: EntryContext,
): ServerDraft | null {
  const diagnostics = new Diagnostics();
  const fields = new Map<string, Field>();
  const draft: ServerDraft = {
    place: entry.node,
    label: entry.name,
    fields,
    diagnostics,
    native: false,
  };
  fields.set("name", impliedField(entry.name, scalarAt(entry.namePlace, entry.name)));
  fields.set("type", impliedField("type", scalarAt(entry.node, "mcp")));
  if (entry.node.kind !== "map") {
    diagnostics.report("GW112", entry.node, `A server must be a map, got ${describe(entry.node)}`);
    return draft;
  }
  const node = client.adapt === undefined ? entry.node : client.adapt(entry.node);
  if (node === null) {
    context.document.report(
      "GW136",
      entry.namePlace,
      `'${shorten(entry.name)}' is built into ${client.title} and was skipped.`,
    );
    return null;
  }
  client.traps?.(node, diagnostics);
  sortFields(client, node, draft);
  normaliseCommand(draft);
  normaliseEnv(draft);
  translateReferences(client, draft, context.declared);
  normaliseTransport(client, draft);
  return draft;
}

function sortFields(client: Client, node: MapNode, draft: ServerDraft): void {
  for (const entry of node.entries) {
    const use = Object.hasOwn(client.fields, entry.key) ? client.fields[entry.key] : undefined;
    if (use === undefined) reportUnknown(client, draft, entry);
    else if (use === "unused") {
      draft.diagnostics.report(
        entry.key === "cwd" ? "GW214" : "GW115",
        keyPlace(entry),
        `'${entry.key}' is not used by a gateway.`,
      );
    } else if (use !== "own") setField(draft, use, fieldOf(entry));
  }
}

function reportUnknown(client: Client, draft: ServerDraft, entry: MapEntry): void {
  if (/^(?:[_$#]|\/\/)/.test(entry.key)) return; // a note, in a format without comments
  if (entry.key === "enabled") {
    reportEnabled(client, draft, entry);
    return;
  }
  const meant = suggest(entry.key, Object.keys(client.fields));
  const question = meant === null ? "" : ` Did you mean '${meant}'?`;
  draft.diagnostics.report(
    "GW114",
    keyPlace(entry),
    `${client.title} has no field '${shorten(entry.key)}'.${question}`,
  );
}

/** `disabled` is spelt almost like it and would do the opposite: nothing is suggested. */
function reportEnabled(client: Client, draft: ServerDraft, entry: MapEntry): void {
  const isOff = entry.value.kind === "scalar" && entry.value.value === false;
  draft.diagnostics.report(
    "GW114",
    keyPlace(entry),
    `${client.title} has no field 'enabled'${isOff ? " and starts the server all the same" : ""}.`,
    isOff ? "Remove the entry, or turn the server off in the client." : undefined,
  );
}

function setField(draft: ServerDraft, use: Exclude<FieldUse, string>, field: Field): void {
  const existing = draft.fields.get(use.to);
  if (existing !== undefined && use.to !== "description") {
    draft.diagnostics.report(
      "GW137",
      field.keyPlace,
      `'${field.key}' and '${existing.key}' say the same; '${existing.key}' is used.`,
    );
    return;
  }
  draft.fields.set(use.to, { ...field, value: inUnit(use, field.value) });
}

/** Native times are seconds: whole ones for `request_timeout`, rounded up so that nothing becomes 0. */
function inUnit(use: Exclude<FieldUse, string>, node: TreeNode): TreeNode {
  if (node.kind !== "scalar" || typeof node.value !== "number") return node;
  const seconds = use.unit === "ms" ? node.value / 1000 : node.value;
  return scalarAt(node, use.to === "request_timeout" ? Math.ceil(seconds) : seconds);
}
