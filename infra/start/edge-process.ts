import { join } from "node:path";
import type { Child } from "./child.ts";
import { startChild } from "./child.ts";
import { inherited } from "./inherited-environment.ts";
import { type StateFolder, writePrivately } from "./state-folder.ts";
import { workerConfig } from "./worker-config.ts";

/** Starts the edge in wrangler's local runtime, listening on loopback only. */
export function startEdge(
  root: string,
  state: StateFolder,
  run: {
    readonly port: number;
    readonly deployment: unknown;
    readonly vars: Readonly<Record<string, string>>;
  },
): Child {
  const deploymentFile = join(state.run, "deployment.json");
  writePrivately(deploymentFile, JSON.stringify(run.deployment));
  const configFile = join(state.run, "wrangler.json");
  writePrivately(
    configFile,
    workerConfig(join(root, "wrangler.toml"), { deploymentFile, vars: run.vars }),
  );
  return startChild({
    name: "edge",
    // wrangler itself and not npx, whose death would leave the runtime behind. Its list of
    // bindings shows values: warnings only.
    args: [
      join(root, "node_modules/wrangler/bin/wrangler.js"),
      "dev",
      `--config=${configFile}`,
      "--ip=127.0.0.1",
      `--port=${run.port}`,
      "--inspector-port=0",
      `--persist-to=${join(state.run, "wrangler")}`,
      "--log-level=warn",
      "--show-interactive-dev-session=false",
    ],
    cwd: root,
    env: { ...inherited(), ...quiet(state) },
    logFile: join(state.logs, `edge-${run.port}.log`),
  });
}

/** Offline and without questions. */
function quiet(state: StateFolder): Record<string, string> {
  return {
    CI: "true",
    CLOUDFLARE_CF_FETCH_ENABLED: "false",
    // It keeps settings there, and the user's own home may be closed to this process.
    HOME: state.run,
    WRANGLER_HIDE_BANNER: "true",
    // It shows the values of variables, so it goes when the run ends.
    WRANGLER_LOG_PATH: join(state.run, "wrangler-log"),
    WRANGLER_SEND_ERROR_REPORTS: "false",
    WRANGLER_SEND_METRICS: "false",
  };
}
