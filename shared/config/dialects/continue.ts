import { child, entryOf, mapAt, type MapNode } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";

/** Continue: a list in YAML, headers in `requestOptions`. */
export const continueDev = clientDialect({
  id: "continue",
  title: "Continue",
  files: [".continue/config.yaml", ".continue/config.yml"],
  sections: [["mcpServers"]],
  layout: "list",
  fields: {
    ...commonFields,
    connectionTimeout: "unused",
    timeout: "unused",
    requestOptions: "own",
    faviconUrl: "own",
    sourceFile: "own",
    apiKey: "unused",
    serverName: "own",
  },
  syntaxes: ["${{ secrets.NAME }}", "${NAME}"],
  untyped: null,
  json: "strict",
  adapt: liftHeaders,
  matches: (root) => child(root, "mcpServers")?.kind === "list",
});

function liftHeaders(entry: MapNode): MapNode {
  const options = child(entry, "requestOptions");
  const headers = options === undefined ? undefined : entryOf(options, "headers");
  return headers === undefined ? entry : mapAt(entry, [...entry.entries, headers]);
}
