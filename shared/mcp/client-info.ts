/** How Gangway introduces itself to MCP servers; `version` is the package's. */
export const clientInfo = { name: "gangway", version: "0.1.0" } as const;

/** Key of `capabilities.experimental` under which a server finds its `config`. */
export const configCapability = "dev.gangway/config";
