import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { StartError } from "./start-error.ts";

export interface StartOptions {
  readonly port: number;
  /** null = 8788, or any other when that is taken. */
  readonly hostPort: number | null;
  /** Path of a deployment file; null = the project's own for development. */
  readonly deployment: string | null;
  /** Path of a config whose servers the development tenant gets; null = none. */
  readonly config: string | null;
  /** Path of the folder for all that is kept; null = `.gangway` in the project. */
  readonly state: string | null;
}

export const help = `npm start -- [options]

Starts Gangway on this machine: the edge (the public Worker) and the host that runs stdio servers.

  --port PORT          port of the edge (default 8787)
  --host-port PORT     port of the host (default 8788, or another when that is taken)
  --deployment FILE    deployment file, read as a development one (default infra/gangway.dev.yaml)
  --config FILE        a config (agent.yaml, .mcp.json, …) whose servers can be called by name
  --state FOLDER       where the key, caches and logs are kept (default .gangway)
  --help               this text

Secrets: \${NAME} in a config is the variable GW_SECRET_NAME, of this command's environment or of
the file secrets.env of the state folder. Ctrl-C ends everything that was started.`;

/**
 * Reads the command line; null asks for the help text. Paths are resolved against `folder`.
 * @throws StartError naming the argument that is wrong.
 */
export function parseOptions(argv: readonly string[], folder: string): StartOptions | null {
  const values = readArguments(argv);
  if (values.help === true) return null;
  const port = readPort("--port", values.port);
  const given = values["host-port"];
  const hostPort = given === undefined ? null : readPort("--host-port", given);
  if (port === hostPort)
    throw new StartError("--port and --host-port are the same: give each its own.");
  return {
    port,
    hostPort,
    deployment: values.deployment === undefined ? null : resolve(folder, values.deployment),
    config: values.config === undefined ? null : resolve(folder, values.config),
    state: values.state === undefined ? null : resolve(folder, values.state),
  };
}

function readArguments(argv: readonly string[]) {
  const { values, positionals } = parse(argv);
  const [unexpected] = positionals;
  if (unexpected === undefined) return values;
  // npm keeps options to itself that stand before `--`, and hands on their values alone.
  throw new StartError(
    `Unexpected argument '${unexpected}': options stand after \`--\`, as in \`npm start -- --config FILE\` (\`npm start -- --help\` lists them).`,
  );
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        help: { type: "boolean", short: "h" },
        port: { type: "string", default: "8787" },
        "host-port": { type: "string" },
        deployment: { type: "string" },
        config: { type: "string" },
        state: { type: "string" },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${reason} (\`npm start -- --help\` lists the options.)`, {
      cause: error,
    });
  }
}

function readPort(option: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new StartError(`${option} must be a port from 1 to 65535, not '${text}'.`);
}
