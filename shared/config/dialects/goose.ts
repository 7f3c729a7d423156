import { child, mapAt, referenceAt, text, type MapEntry, type MapNode } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";
import { readEnabled } from "./opencode.ts";
import { hasMap } from "./shapes.ts";

/** Goose: `extensions`, with `cmd`, `envs`, `uri`; the kinds that run inside Goose are skipped. */
export const goose = clientDialect({
  id: "goose",
  title: "Goose",
  files: ["goose/config.yaml", ".goose/config.yaml"],
  sections: [["extensions"]],
  layout: "map",
  fields: {
    ...commonFields,
    cmd: { to: "command" },
    envs: { to: "env" },
    uri: { to: "url" },
    timeout: { to: "request_timeout" },
    available_tools: { to: "allowed_tools" },
    display_name: "own",
    bundled: "own",
    env_keys: "own",
    socket: "unused",
  },
  syntaxes: ["${NAME}", "$NAME"],
  untyped: null,
  json: "strict",
  adapt: readExtension,
  matches: (root) => hasMap(root, "extensions"),
});

const servers = new Set(["stdio", "sse", "streamable_http"]);

function readExtension(entry: MapNode): MapNode | null {
  const type = text(child(entry, "type"));
  if (type !== undefined && !servers.has(type)) return null;
  const env = [...envs(entry), ...keys(entry)];
  const kept = entry.entries.filter(
    ({ key, value }) =>
      key !== "envs" &&
      key !== "env_keys" &&
      !isEmptyList(key, value.kind === "list" && value.items.length === 0),
  );
  const place = child(entry, "envs") ?? entry;
  const grouped =
    env.length === 0 ? [] : [{ key: "envs", keySpan: place.span, value: mapAt(place, env) }];
  return readEnabled(mapAt(entry, [...kept, ...grouped]));
}

/** Goose writes `available_tools: []` for all tools. */
function isEmptyList(key: string, empty: boolean): boolean {
  return key === "available_tools" && empty;
}

function envs(entry: MapNode): readonly MapEntry[] {
  const node = child(entry, "envs");
  return node?.kind === "map" ? node.entries : [];
}

/** `env_keys` names values of Goose's own key store: references in the native form. */
function keys(entry: MapNode): MapEntry[] {
  const node = child(entry, "env_keys");
  if (node?.kind !== "list") return [];
  return node.items.flatMap((item) => {
    const name = text(item);
    return name === undefined
      ? []
      : [{ key: name, keySpan: item.span, value: referenceAt(item, name) }];
  });
}
