import { child, entryOf, mapAt, scalarAt, type MapNode } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";
import { someEntry, typeIs } from "./shapes.ts";

const client = {
  sections: [["mcp"]],
  layout: "map",
  fields: {
    ...commonFields,
    environment: { to: "env" },
    oauth: "unused",
    timeout: "unused",
  },
  syntaxes: ["{env:NAME}"],
  untyped: null,
  json: "commas",
  adapt: readEnabled,
} as const;

/** opencode: `mcp`, the command as one list, `enabled`. */
export const opencode = clientDialect({
  ...client,
  id: "opencode",
  title: "opencode",
  files: ["opencode.json", "opencode.jsonc", ".opencode/config.json"],
  matches: (root) =>
    someEntry(
      root,
      "mcp",
      (entry) => typeIs(entry, "local", "remote") || child(entry, "command")?.kind === "list",
    ),
});

/** Kilo Code: as opencode. */
export const kilo = clientDialect({
  ...client,
  id: "kilo",
  title: "Kilo Code",
  files: ["kilo.json", "kilo.jsonc", ".kilo/kilo.jsonc"],
  matches: () => false,
});

/** `enabled: false` is the other clients' `disabled: true`. */
export function readEnabled(entry: MapNode): MapNode {
  const enabled = entryOf(entry, "enabled");
  if (enabled === undefined) return entry;
  const kept = entry.entries.filter(({ key }) => key !== "enabled");
  if (enabled.value.kind !== "scalar" || enabled.value.value !== false) return mapAt(entry, kept);
  return mapAt(entry, [
    ...kept,
    { ...enabled, key: "disabled", value: scalarAt(enabled.value, true) },
  ]);
}
