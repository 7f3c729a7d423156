import { child, mapAt, text, type MapNode } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";

/** GitHub Copilot CLI and coding agent: `tools` lists what may be used, `*` being all. */
export const copilot = clientDialect({
  id: "copilot",
  title: "GitHub Copilot",
  files: [".copilot/mcp-config.json", ".github/mcp.json"],
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    tools: { to: "allowed_tools" },
    timeout: { to: "request_timeout", unit: "ms" },
    isDefaultServer: "own",
    oauth: "unused",
  },
  syntaxes: ["$NAME", "${NAME}", "${NAME:-default}"],
  untyped: null,
  json: "strict",
  adapt: dropStar,
  matches: () => false,
});

function dropStar(entry: MapNode): MapNode {
  const tools = child(entry, "tools");
  const isStar = tools?.kind === "list" && tools.items.some((item) => text(item) === "*");
  return isStar
    ? mapAt(
        entry,
        entry.entries.filter(({ key }) => key !== "tools"),
      )
    : entry;
}
