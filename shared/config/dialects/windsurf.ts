import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";

const client = {
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    transport: { to: "transport" },
    serverUrl: { to: "url" },
    disabledTools: { to: "disabled_tools" },
    alwaysAllow: "own",
    authProviderType: "unused",
    oauth: "unused",
    $typeName: "own",
  },
  syntaxes: ["${env:NAME}"],
  untyped: null,
  json: "strict",
} as const;

/** Windsurf: remote servers under `serverUrl`. */
export const windsurf = clientDialect({
  ...client,
  id: "windsurf",
  title: "Windsurf",
  files: [".codeium/windsurf/mcp_config.json", "windsurf/mcp_config.json"],
  matches: () => false,
});

/** Antigravity: as Windsurf. */
export const antigravity = clientDialect({
  ...client,
  id: "antigravity",
  title: "Antigravity",
  files: [
    ".gemini/antigravity/mcp_config.json",
    ".antigravitycli/mcp_config.json",
    "antigravity/mcp_config.json",
  ],
  matches: () => false,
});
