import { child } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields, type FieldUse } from "./client.ts";
import { readEnabled } from "./opencode.ts";

/** Fields of all clients that write an `mcpServers` map, for files whose client is not known. */
const manyFields: Readonly<Record<string, FieldUse>> = {
  ...commonFields,
  transport: { to: "transport" },
  transportType: { to: "transport" },
  serverUrl: { to: "url" },
  envFile: { to: "env_file" },
  disabledTools: { to: "disabled_tools" },
  includeTools: { to: "allowed_tools" },
  excludeTools: { to: "disabled_tools" },
  timeout: "unused",
  autoApprove: "own",
  alwaysAllow: "own",
  trust: "own",
  tools: "own",
  oauth: "unused",
  working_directory: "unused",
  start_on_launch: "own",
};

/** An `mcpServers` map of no telling file name: what its clients have in common. */
export const mcpServers = clientDialect({
  id: "mcp-servers",
  title: "The mcpServers form",
  files: [],
  sections: [["mcpServers"]],
  layout: "map",
  fields: manyFields,
  syntaxes: ["${NAME}", "${NAME:-default}", "${env:NAME}", "${input:id}"],
  untyped: null,
  json: "strict",
  adapt: readEnabled,
  matches: (root) => child(root, "mcpServers") !== undefined,
});

/** Servers directly at the top, as plugins of Claude Code and Cursor and Warp write them. */
export const bareMap = clientDialect({
  id: "bare-map",
  title: "A bare map of servers",
  files: [],
  sections: [[]],
  layout: "map",
  fields: manyFields,
  syntaxes: ["${NAME}", "${NAME:-default}", "${env:NAME}"],
  untyped: null,
  json: "strict",
  adapt: readEnabled,
  matches: (root) =>
    root.entries.length > 0 &&
    root.entries.every(({ value }) => value.kind === "map") &&
    root.entries.some(({ value }) =>
      ["command", "url", "serverUrl", "httpUrl"].some((key) => child(value, key) !== undefined),
    ),
});
