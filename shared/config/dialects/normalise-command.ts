import { commands } from "../server-config.ts";
import { impliedField, type ServerDraft } from "../server/draft.ts";
import { rewriteCommand } from "../server/rewrite-command.ts";
import { listAt, scalarAt, text, type TreeNode } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";

/** Brings a client's command to npx, uvx or docker where an equal launch exists, and tells the change. */
export function normaliseCommand(draft: ServerDraft): void {
  takeApart(draft);
  const field = draft.fields.get("command");
  const command = text(field?.value);
  if (field === undefined || command === undefined || commands.some((known) => known === command))
    return;
  const args = draft.fields.get("args")?.value;
  const items = args?.kind === "list" ? args.items : [];
  const rewrite = rewriteCommand(
    command,
    items.map((item) => text(item) ?? ""),
  );
  if (rewrite === null) return;
  const shown = [rewrite.command, ...rewrite.head].join(" ");
  draft.diagnostics.report(
    "GW202",
    field.value,
    `'${shorten(command)}' was rewritten: ${shorten(shown)} …`,
  );
  const head = rewrite.head.map((word) => scalarAt(field.value, word));
  draft.fields.set("command", { ...field, value: scalarAt(field.value, rewrite.command) });
  draft.fields.set(
    "args",
    impliedField("args", listAt(args ?? field.value, [...head, ...items.slice(rewrite.consumed)])),
  );
}

/** `command: ["npx", "-y", "pkg"]`: the first word is the command, the rest come before the args. */
function takeApart(draft: ServerDraft): void {
  const field = draft.fields.get("command");
  const list = field?.value;
  if (field === undefined || list?.kind !== "list") return;
  const [first, ...rest] = list.items;
  if (first === undefined) return;
  const args = draft.fields.get("args")?.value;
  const more: readonly TreeNode[] = args?.kind === "list" ? args.items : [];
  draft.fields.set("command", { ...field, value: first });
  draft.fields.set("args", impliedField("command", listAt(list, [...rest, ...more])));
}
