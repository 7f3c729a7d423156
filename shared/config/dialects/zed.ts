import { child, entryOf, mapAt, text, type MapEntry, type MapNode } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";
import { hasMap } from "./shapes.ts";

/** Zed: `context_servers`; servers that come with an extension have settings and no command. */
export const zed = clientDialect({
  id: "zed",
  title: "Zed",
  files: [".zed/settings.json", "zed/settings.json"],
  sections: [["context_servers"]],
  layout: "map",
  fields: {
    ...commonFields,
    source: "own",
    settings: "unused",
    enabled: "own",
    timeout: { to: "request_timeout" },
  },
  syntaxes: [],
  untyped: "http",
  json: "commas",
  adapt: liftCommand,
  matches: (root) => hasMap(root, "context_servers"),
});

/** The older form nests `{path, args, env}` under `command`. */
function liftCommand(entry: MapNode): MapNode | null {
  const command = entryOf(entry, "command");
  const isExtension = text(child(entry, "source")) === "extension";
  if (
    isExtension ||
    (command === undefined &&
      entryOf(entry, "url") === undefined &&
      entryOf(entry, "settings") !== undefined)
  )
    return null;
  if (command?.value.kind !== "map") return entry;
  const kept = entry.entries.filter(({ key }) => key !== "command");
  const lifted = command.value.entries.map((inner): MapEntry =>
    inner.key === "path" ? { ...inner, key: "command" } : inner,
  );
  return mapAt(entry, [...kept, ...lifted]);
}
