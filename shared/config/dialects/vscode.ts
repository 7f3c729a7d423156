import { child, entryOf, mapAt, type MapNode } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";
import { hasMap } from "./shapes.ts";

/** VS Code and Visual Studio: `servers` with declared `inputs`, JSON with comments and trailing commas. */
export const vscode = clientDialect({
  id: "vscode",
  title: "VS Code",
  files: [
    ".vscode/mcp.json",
    "User/mcp.json",
    ".vscode/settings.json",
    "intellij/mcp.json",
    ".vs/mcp.json",
  ],
  sections: [["servers"], ["mcp", "servers"]],
  layout: "map",
  fields: {
    ...commonFields,
    envFile: { to: "env_file" },
    gallery: "own",
    version: "own",
    dev: "own",
    oauth: "unused",
    sandboxEnabled: "unused",
    sandbox: "unused",
    requestInit: "own",
  },
  syntaxes: ["${input:id}", "${env:NAME}"],
  variables: ["workspaceFolder", "workspaceFolderBasename", "userHome", "pathSeparator"],
  untyped: null,
  json: "commas",
  adapt: liftHeaders,
  matches: (root) => hasMap(root, "servers") || hasMap(child(root, "mcp") ?? root, "servers"),
});

/** Copilot in JetBrains IDEs and Eclipse keeps headers in `requestInit`. */
function liftHeaders(entry: MapNode): MapNode {
  const headers = entryOf(child(entry, "requestInit") ?? entry, "headers");
  if (headers === undefined || entryOf(entry, "headers") !== undefined) return entry;
  return mapAt(entry, [...entry.entries, headers]);
}
