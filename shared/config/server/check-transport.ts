import { text, type TreeNode } from "../tree/node.ts";
import { transports, type TransportName } from "../server-config.ts";
import { isEmpty } from "./check-fields.ts";
import type { ServerDraft } from "./draft.ts";
import { fieldTransports } from "./native-fields.ts";

/** The transport that a draft names; stdio when it names none, null when the name is not known. */
export function transportOf(draft: ServerDraft): TransportName | null {
  const field = draft.fields.get("transport");
  if (field === undefined || isEmpty(field.value)) return "stdio";
  const written = text(field.value);
  return transports.find((transport) => transport === written) ?? null;
}

/** Checks that the transport has the field it needs, and tells fields that it does not use. */
export function checkTransport(draft: ServerDraft): void {
  const transport = transportOf(draft);
  if (transport === null) return;
  checkNeeded(draft, transport);
  for (const [name, field] of draft.fields) {
    const users = fieldTransports[name];
    if (users === undefined || users.includes(transport) || isBare(field.value)) continue;
    const decides = name === "command" || name === "url";
    const message = `'${field.key}' is for ${users.join(", ")} and the transport is ${transport}`;
    draft.diagnostics.report(decides ? "GW127" : "GW126", field.keyPlace, message);
  }
}

/** Nothing, `[]` and `{}`: written out of habit, and without effect whatever the transport. */
function isBare(node: TreeNode): boolean {
  if (node.kind === "list") return node.items.length === 0;
  return node.kind === "map" ? node.entries.length === 0 : isEmpty(node);
}

function checkNeeded(draft: ServerDraft, transport: TransportName): void {
  const needed = transport === "stdio" ? "command" : "url";
  const field = draft.fields.get(needed);
  if (field !== undefined && !isEmpty(field.value)) return;
  const other = draft.fields.get(needed === "command" ? "url" : "command");
  const hint =
    other === undefined
      ? undefined
      : `\`${other.key}\` is set: write the transport that fits it, or replace it.`;
  draft.diagnostics.report(
    "GW134",
    draft.place,
    `'${needed}' is required for ${transport} transport`,
    hint,
  );
}
