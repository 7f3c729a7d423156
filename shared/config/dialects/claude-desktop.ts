import { entryOf, keyPlace } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";

/** Claude Desktop: stdio servers only, and no references of any kind. */
export const claudeDesktop = clientDialect({
  id: "claude-desktop",
  title: "Claude Desktop",
  files: ["claude_desktop_config.json"],
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    transport: { to: "transport" },
    autoApprove: "own",
    alwaysAllow: "own",
    timeout: "unused",
  },
  syntaxes: [],
  untyped: null,
  json: "strict",
  traps: (entry, diagnostics) => {
    const url = entryOf(entry, "url");
    if (url === undefined) return;
    diagnostics.report(
      "GW137",
      keyPlace(url),
      "Claude Desktop starts local servers only; remote ones are added in its settings.",
    );
  },
  matches: () => false,
});
