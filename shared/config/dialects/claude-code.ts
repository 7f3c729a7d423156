import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";

/** Claude Code: `.mcp.json` of a project, and the user's own file. */
export const claudeCode = clientDialect({
  id: "claude-code",
  title: "Claude Code",
  files: [".mcp.json", ".claude.json", ".claude/mcp.json", ".claude/settings.json"],
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    transport: { to: "transport" },
    timeout: "unused",
    oauth: "unused",
    headersHelper: "unused",
    alwaysLoad: "own",
    autoApprove: "own",
    alwaysAllow: "own",
  },
  syntaxes: ["${NAME}", "${NAME:-default}"],
  untyped: null,
  json: "strict",
  matches: () => false,
});
