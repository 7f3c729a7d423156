import { entryOf, keyPlace } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";

/** Roo Code: a url must come with its type. */
export const roo = clientDialect({
  id: "roo",
  title: "Roo Code",
  files: [".roo/mcp.json", "mcp_settings.json"],
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    timeout: { to: "request_timeout" },
    disabledTools: { to: "disabled_tools" },
    alwaysAllow: "own",
    autoApprove: "own",
    watchPaths: "unused",
  },
  syntaxes: ["${env:NAME}"],
  variables: ["workspaceFolder"],
  untyped: null,
  json: "strict",
  traps: (entry, diagnostics) => {
    const url = entryOf(entry, "url");
    if (url === undefined || entryOf(entry, "type") !== undefined) return;
    diagnostics.report(
      "GW137",
      keyPlace(url),
      "Roo Code refuses a url without `type`: write `sse` or `streamable-http`.",
    );
  },
  matches: () => false,
});
