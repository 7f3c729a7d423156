import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";

/** Cline: a url without a type means SSE. */
export const cline = clientDialect({
  id: "cline",
  title: "Cline",
  files: ["cline_mcp_settings.json"],
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    transportType: { to: "transport" },
    timeout: { to: "request_timeout" },
    autoApprove: "own",
    alwaysAllow: "own",
    remoteConfigured: "own",
  },
  syntaxes: ["${env:NAME}"],
  untyped: "sse",
  json: "strict",
  matches: () => false,
});
