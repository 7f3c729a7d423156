import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";

/** Cursor: a url needs no type. */
export const cursor = clientDialect({
  id: "cursor",
  title: "Cursor",
  files: [".cursor/mcp.json"],
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    transport: { to: "transport" },
    envFile: { to: "env_file" },
    auth: "unused",
    autoApprove: "own",
    alwaysAllow: "own",
  },
  syntaxes: ["${env:NAME}", "${NAME}"],
  untyped: null,
  json: "commas",
  matches: () => false,
});
