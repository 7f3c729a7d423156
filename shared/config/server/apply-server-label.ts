import { listAt, scalarAt, text } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import { isEmpty } from "./check-fields.ts";
import { transportOf } from "./check-transport.ts";
import { impliedField, type ServerDraft } from "./draft.ts";

/**
 * `server` is a label, with two older meanings: alone it is an npm package, and next to npx or uvx
 * without args it is the package to run. The draft gets the command and args that it stands for.
 */
export function applyServerLabel(draft: ServerDraft): void {
  const field = draft.fields.get("server");
  const label = text(field?.value);
  if (field === undefined || label === undefined || label === "") return;
  if (isPath(label)) {
    draft.diagnostics.report("GW210", field.value, `'server' holds a path: '${shorten(label)}'`);
    return;
  }
  if (transportOf(draft) !== "stdio" || has(draft, "url") || has(draft, "args")) return;
  const command = text(draft.fields.get("command")?.value);
  if (command === undefined && !has(draft, "command")) {
    draft.diagnostics.report(
      "GW129",
      field.keyPlace,
      `'server' alone is read as npx -y ${shorten(label)}`,
    );
    draft.fields.set("command", impliedField("command", scalarAt(field.value, "npx")));
  } else if (command !== "npx" && command !== "uvx") return;
  const args = command === "uvx" ? [label] : ["-y", label];
  const nodes = args.map((arg) => scalarAt(field.value, arg));
  draft.fields.set("args", impliedField("server", listAt(field.value, nodes)));
}

function has(draft: ServerDraft, name: string): boolean {
  const field = draft.fields.get(name);
  return field !== undefined && !isEmpty(field.value);
}

/** A package name may start with `@scope/`; anything else with a slash in front, or a drive, is a path. */
function isPath(label: string): boolean {
  return /^(?:\.{1,2}(?:[\\/]|$)|[\\/~]|[A-Za-z]:[\\/]|file:)/.test(label) || label.includes("\\");
}
