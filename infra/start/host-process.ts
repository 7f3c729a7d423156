import { join } from "node:path";
import type { JWK } from "jose";
import type { Child } from "./child.ts";
import { startChild } from "./child.ts";
import { hostEnvironment } from "./host-environment.ts";
import type { StateFolder } from "./state-folder.ts";

/** Starts the host in development mode, listening on loopback only. */
export function startHost(
  root: string,
  state: StateFolder,
  run: { readonly port: number; readonly publicKey: JWK },
): Child {
  return startChild({
    name: "host",
    args: [join(root, "functions/host/main.ts")],
    cwd: root,
    env: hostEnvironment(process.env, { ...run, dataFolder: state.host }),
    logFile: join(state.logs, `host-${run.port}.log`),
  });
}
