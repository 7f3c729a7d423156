/** The real server that the self-check and the printed examples call. */
export const exampleServer = {
  name: "everything",
  description: "A reference server with one tool for each feature of MCP.",
  type: "mcp",
  command: "npx",
  args: ["-y", "@modelcontextprotocol/server-everything@2026.8.31"],
} as const;
