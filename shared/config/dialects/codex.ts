import {
  child,
  entryOf,
  mapAt,
  referenceAt,
  text,
  type MapEntry,
  type MapNode,
} from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";
import { hasMap } from "./shapes.ts";
import { readEnabled } from "./opencode.ts";

/** Codex: TOML; secrets are named by variable and never written in place. */
export const codex = clientDialect({
  id: "codex",
  title: "Codex",
  files: [".codex/config.toml", "codex/config.toml"],
  sections: [["mcp_servers"]],
  layout: "map",
  fields: {
    ...commonFields,
    http_headers: { to: "headers" },
    startup_timeout_sec: { to: "timeout" },
    startup_timeout_ms: { to: "timeout", unit: "ms" },
    tool_timeout_sec: { to: "request_timeout" },
    enabled_tools: { to: "allowed_tools" },
    disabled_tools: { to: "disabled_tools" },
    required: "own",
    oauth: "unused",
    oauth_resource: "unused",
    scopes: "unused",
    default_tools_approval_mode: "own",
    tools: "own",
    supports_parallel_tool_calls: "own",
    id: "own",
  },
  syntaxes: [],
  untyped: "http",
  json: "strict",
  traps: (entry, diagnostics) => {
    const token = entryOf(entry, "bearer_token");
    if (token !== undefined)
      diagnostics.report(
        "GW137",
        token.value,
        "Codex refuses `bearer_token`: name a variable in `bearer_token_env_var`.",
      );
  },
  adapt: (entry) => dropStartup(readEnabled(forwardVariables(entry))),
  matches: (root) => hasMap(root, "mcp_servers"),
});

/** `env_vars`, `env_http_headers` and `bearer_token_env_var` name variables: references in the native form. */
function forwardVariables(entry: MapNode): MapNode {
  const special = new Set([
    "env",
    "env_vars",
    "http_headers",
    "headers",
    "env_http_headers",
    "bearer_token_env_var",
  ]);
  const kept = entry.entries.filter(({ key }) => !special.has(key));
  const env = [...members(entry, "env"), ...forwarded(entry)];
  const headers = [
    ...members(entry, "http_headers"),
    ...members(entry, "headers"),
    ...headerVariables(entry),
    ...bearer(entry),
  ];
  return mapAt(entry, [
    ...kept,
    ...(env.length === 0 ? [] : [group("env", entry, env)]),
    ...(headers.length === 0 ? [] : [group("http_headers", entry, headers)]),
  ]);
}

function group(key: string, entry: MapNode, entries: readonly MapEntry[]): MapEntry {
  const first = entries[0];
  const place = child(entry, key) ?? first?.value ?? entry;
  return { key, keySpan: place.span, value: mapAt(place, entries) };
}

function members(entry: MapNode, key: string): readonly MapEntry[] {
  const node = child(entry, key);
  return node?.kind === "map" ? node.entries : [];
}

function forwarded(entry: MapNode): MapEntry[] {
  const names = child(entry, "env_vars");
  if (names?.kind !== "list") return [];
  return names.items.flatMap((item) => {
    const name = text(item) ?? text(child(item, "name"));
    return name === undefined
      ? []
      : [{ key: name, keySpan: item.span, value: referenceAt(item, name) }];
  });
}

function headerVariables(entry: MapNode): MapEntry[] {
  return members(entry, "env_http_headers").map((member) => ({
    ...member,
    value: referenceAt(member.value, text(member.value) ?? ""),
  }));
}

function bearer(entry: MapNode): MapEntry[] {
  const variable = entryOf(entry, "bearer_token_env_var");
  const name = text(variable?.value);
  if (variable === undefined || name === undefined) return [];
  return [
    {
      key: "Authorization",
      keySpan: variable.keySpan,
      value: referenceAt(variable.value, name, "Bearer "),
    },
  ];
}

/** A start-up time belongs to the connection of remote servers; a local start has the host's own deadline. */
function dropStartup(entry: MapNode): MapNode {
  if (entryOf(entry, "url") !== undefined) return entry;
  return mapAt(
    entry,
    entry.entries.filter(({ key }) => !key.startsWith("startup_timeout")),
  );
}
