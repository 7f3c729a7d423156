import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";
import { isServerEntry, someEntry } from "./shapes.ts";

/** Crush: `mcp`, with `$NAME` as its references; its `$(command)` is refused. */
export const crush = clientDialect({
  id: "crush",
  title: "Crush",
  files: ["crush.json", ".crush.json"],
  sections: [["mcp"]],
  layout: "map",
  fields: {
    ...commonFields,
    timeout: { to: "request_timeout" },
    disabled_tools: { to: "disabled_tools" },
  },
  syntaxes: ["$NAME", "${NAME}"],
  untyped: null,
  json: "strict",
  matches: (root) => someEntry(root, "mcp", isServerEntry),
});
