import { join } from "node:path";
import type { JWK } from "jose";
import type { Child } from "./child.ts";
import { startChild } from "./child.ts";
import { inherited } from "./inherited-environment.ts";
import type { StateFolder } from "./state-folder.ts";

/** Starts the host in development mode, listening on loopback only. */
export function startHost(
  root: string,
  state: StateFolder,
  run: { readonly port: number; readonly publicKey: JWK },
): Child {
  const registry = process.env["npm_config_registry"];
  return startChild({
    name: "host",
    args: [join(root, "functions/host/main.ts")],
    cwd: root,
    env: {
      ...inherited(),
      GANGWAY_HOST_ADDRESS: "127.0.0.1",
      GANGWAY_HOST_PORT: String(run.port),
      GANGWAY_HOST_DATA_DIR: state.host,
      GANGWAY_HOST_TICKET_KEY: JSON.stringify(run.publicKey),
      GANGWAY_HOST_DEVELOPMENT: "true",
      ...(registry === undefined ? {} : { GANGWAY_HOST_NPM_REGISTRY: registry }),
    },
    logFile: join(state.logs, `host-${run.port}.log`),
  });
}
