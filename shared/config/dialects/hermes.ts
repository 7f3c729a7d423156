import { child } from "../tree/node.ts";
import { clientDialect } from "./client-dialect.ts";
import { commonFields } from "./client.ts";
import { readEnabled } from "./opencode.ts";

/** Hermes: `mcp_servers` as a map in YAML. */
export const hermes = clientDialect({
  id: "hermes",
  title: "Hermes",
  files: [".hermes/config.yaml"],
  sections: [["mcp_servers"]],
  layout: "map",
  fields: {
    ...commonFields,
    timeout: { to: "request_timeout" },
    connect_timeout: "unused",
    auth: "unused",
    tools: "own",
    sampling: "own",
  },
  syntaxes: ["${NAME}"],
  untyped: "http",
  json: "strict",
  adapt: readEnabled,
  matches: (root) => child(root, "mcp_servers")?.kind === "map",
});
