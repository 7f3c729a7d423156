import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";

/** Kiro. */
export const kiro = clientDialect({
  id: "kiro",
  title: "Kiro",
  files: [".kiro/settings/mcp.json"],
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    disabledTools: { to: "disabled_tools" },
    timeout: { to: "request_timeout", unit: "ms" },
    autoApprove: "own",
    oauth: "unused",
  },
  syntaxes: ["${NAME}", "${env:NAME}"],
  untyped: null,
  json: "strict",
  matches: () => false,
});
