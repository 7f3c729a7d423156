import type { Deployment } from "../../shared/config/deployment.ts";
import { findReferences } from "../../shared/config/references.ts";
import type { ServerConfig } from "../../shared/config/server-config.ts";
import { secretPrefix, variableNames } from "../../shared/secrets/variable-names.ts";
import type { StartSecrets } from "./secrets.ts";

/** One sentence for each reference of a configured server that has no value by now. */
export function missingValues(deployment: Deployment, secrets: StartSecrets): string[] {
  const levels = [
    { namespace: "deployment", servers: deployment.mcp_servers },
    ...deployment.tenants.map(({ id, mcp_servers }) => ({ namespace: id, servers: mcp_servers })),
  ];
  return levels.flatMap(({ namespace, servers }) =>
    servers.flatMap((server) =>
      server.disabled
        ? []
        : missingNames(server, namespace, secrets).map((name) => sentence(server, name, secrets)),
    ),
  );
}

/** Names that a request may fill by its own inputs are not missing. */
function missingNames(server: ServerConfig, namespace: string, secrets: StartSecrets): string[] {
  const names = new Set(findReferences(server, "").map(({ name }) => name));
  return [...names].filter((name) => {
    const held = variableNames(namespace, name)
      .map((variable) => secrets.variables[`${secretPrefix}${variable}`])
      .find((value) => value !== undefined);
    return (held ?? "") === "" && !server.inputs.includes(name);
  });
}

function sentence(server: ServerConfig, name: string, secrets: StartSecrets): string {
  const what = `Server '${server.name}' needs a value for \${${name}}:`;
  if (name.includes("__"))
    return `${what} rename it in the config, since names with \`__\` are never looked up.`;
  const remedy = `set ${secretPrefix}${name} in the environment of npm start or in ${secrets.file}.`;
  const unread = secrets.unread.has(name)
    ? ` ${name} is set, but only names that begin with ${secretPrefix} are read.`
    : "";
  return `${what} ${remedy}${unread}`;
}
