import { entryOf, mapAt, type MapNode } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";
import { someEntry, has } from "./shapes.ts";

/** Gemini CLI and Qwen Code: `httpUrl` is streamable HTTP, `url` alone is SSE, times are milliseconds. */
export const gemini = clientDialect({
  id: "gemini-cli",
  title: "Gemini CLI",
  files: [".gemini/settings.json", ".qwen/settings.json", "gemini-extension.json"],
  sections: [["mcpServers"]],
  layout: "map",
  fields: {
    ...commonFields,
    timeout: { to: "request_timeout", unit: "ms" },
    includeTools: { to: "allowed_tools" },
    excludeTools: { to: "disabled_tools" },
    trust: "own",
    extension: "own",
    extensionName: "own",
    oauth: "unused",
    authProviderType: "unused",
    targetAudience: "unused",
    targetServiceAccount: "unused",
    enabled: "own",
  },
  syntaxes: ["$NAME", "${NAME}", "${NAME:-default}"],
  untyped: "sse",
  json: "comments",
  adapt: readHttpUrl,
  matches: (root) =>
    someEntry(root, "mcpServers", (entry) => entry.kind === "map" && has(entry, "httpUrl")),
});

/** `httpUrl` wins over `url` and says the transport. */
function readHttpUrl(entry: MapNode): MapNode {
  const httpUrl = entryOf(entry, "httpUrl");
  if (httpUrl === undefined) return entry;
  const kept = entry.entries.filter(
    ({ key }) => key !== "httpUrl" && key !== "url" && key !== "type",
  );
  const { keySpan, value } = httpUrl;
  const type = {
    key: "type",
    keySpan,
    value: { kind: "scalar", pointer: value.pointer, span: keySpan, value: "http" },
  } as const;
  return mapAt(entry, [...kept, { key: "url", keySpan, value }, type]);
}
