import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deadline } from "../../deadline.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import { programPath } from "../../process/environment.ts";
import type { GroupWatcher } from "../../process/group-watcher.ts";
import type { Argv } from "../../process/spawn-server.ts";
import { type CommandEnd, runCommand } from "../run-command.ts";
import type { DockerSettings } from "./docker-settings.ts";

/** Questions that an engine answers at once. */
const questionMs = 15_000;

export interface DockerCliOptions {
  readonly cli: string;
  readonly engine: string;
  readonly settings: Pick<DockerSettings, "certificates" | "configFolder">;
  /** Holds the command's HOME and, unless the operator names one, its empty configuration. */
  readonly root: string;
  readonly watcher: GroupWatcher;
}

/** The docker command against one engine; nothing of the host's own environment reaches it. */
export class DockerCli {
  /** The variables that name the engine, the command's configuration and certificates. */
  readonly steering: Readonly<Record<string, string>>;
  readonly #options: DockerCliOptions;
  readonly #home: string;

  constructor(options: DockerCliOptions) {
    this.#options = options;
    this.#home = join(options.root, "home");
    const { certificates, configFolder } = options.settings;
    mkdirSync(this.#home, { recursive: true, mode: 0o700 });
    this.steering = {
      DOCKER_HOST: options.engine,
      DOCKER_CONFIG: configFolder ?? emptyConfig(options.root),
      DOCKER_CLI_HINTS: "false",
      ...(certificates === null ? {} : { DOCKER_TLS_VERIFY: "1", DOCKER_CERT_PATH: certificates }),
    };
  }

  argv(...args: readonly string[]): Argv {
    return [this.#options.cli, ...args];
  }

  /** The whole environment of the command where no server's variables are in it. */
  get environment(): Readonly<Record<string, string>> {
    return { PATH: programPath, HOME: this.#home, LANG: "C.UTF-8", ...this.steering };
  }

  /** Runs it to its end. @throws the signal's reason. */
  run(args: readonly string[], signal: AbortSignal): Promise<CommandEnd> {
    return runCommand({
      argv: this.argv(...args),
      cwd: this.#home,
      environment: this.environment,
      watcher: this.#options.watcher,
      signal,
    });
  }

  /**
   * The command's stdout, or null when it fails or does not answer in 15 s.
   * @throws the signal's reason.
   */
  async ask(
    args: readonly string[],
    signal = new AbortController().signal,
  ): Promise<string | null> {
    const late = new GatewayError("INSTALL_TIMEOUT", "The Docker engine does not answer.");
    using limit = deadline(questionMs, signal, () => late);
    try {
      const { code, stdout } = await this.run(args, limit.signal);
      return code === 0 ? stdout.trim() : null;
    } catch (error) {
      if (error === late) return null;
      throw error;
    }
  }
}

function emptyConfig(root: string): string {
  const folder = join(root, "config");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, "config.json"), "{}\n");
  return folder;
}
