import { child, mapAt, scalarAt, type MapNode } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";
import { hasMap } from "./shapes.ts";

/** LibreChat: YAML, times in milliseconds, `customUserVars` asked for from each user. */
export const librechat = clientDialect({
  id: "librechat",
  title: "LibreChat",
  files: ["librechat.yaml", "librechat.yml", "librechat.example.yaml"],
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    timeout: { to: "request_timeout", unit: "ms" },
    sseReadTimeout: { to: "sse_read_timeout", unit: "ms" },
    initTimeout: "unused",
    stderr: "own",
    startup: "own",
    chatMenu: "own",
    iconPath: "own",
    title: "own",
    serverInstructions: "own",
    customUserVars: "own",
    requiresOAuth: "unused",
    oauth: "unused",
    obo: "unused",
    apiKey: "unused",
    inputs: { to: "inputs" },
  },
  syntaxes: ["${NAME}", "{{NAME}}"],
  untyped: null,
  json: "strict",
  adapt: userVariables,
  matches: (root) =>
    hasMap(root, "mcpServers") &&
    ["endpoints", "interface", "mcpSettings", "fileConfig"].some(
      (key) => child(root, key) !== undefined,
    ),
});

/** What LibreChat asks a user for, a request may fill. */
function userVariables(entry: MapNode): MapNode {
  const variables = child(entry, "customUserVars");
  const kept = entry.entries.filter(({ key }) => key !== "inputs");
  if (variables?.kind !== "map") return mapAt(entry, kept);
  const items = variables.entries.map(({ key, value }) => scalarAt(value, key));
  const value = { kind: "list", pointer: variables.pointer, span: variables.span, items } as const;
  return mapAt(entry, [...kept, { key: "inputs", keySpan: variables.span, value }]);
}
