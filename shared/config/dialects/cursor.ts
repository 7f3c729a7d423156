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
  syntaxes: ["${env:NAME}"],
  variables: ["workspaceFolder", "workspaceFolderBasename", "userHome", "pathSeparator"],
  untyped: null,
  json: "commas",
  matches: () => false,
});
