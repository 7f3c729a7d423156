import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { HostMetrics } from "../../metrics/host-metrics.ts";
import { createRedact } from "../../process/redact.ts";
import { launcherUnavailable } from "../prepare.ts";
import type { CommandEnd } from "../run-command.ts";
import type { SharedInstalls } from "../shared-installs.ts";
import type { DockerCli } from "./docker-cli.ts";
import type { DockerSettings } from "./docker-settings.ts";

export interface ImagesOptions {
  readonly cli: DockerCli;
  readonly engine: string;
  readonly pull: DockerSettings["pull"];
  readonly installs: SharedInstalls<void>;
  readonly metrics: HostMetrics;
}

/** The images of the engine. */
export class Images {
  readonly #options: ImagesOptions;

  constructor(options: ImagesOptions) {
    this.#options = options;
  }

  /**
   * Sees to it that the engine has the image, by the host's pull policy. A pull serves all who
   * wait for it, and goes on when they give up.
   * @throws GatewayError LAUNCHER_UNAVAILABLE when the engine does not answer, INSTALL_FAILED,
   * INSTALL_TIMEOUT, or the signal's reason.
   */
  async ensure(image: string, signal: AbortSignal): Promise<void> {
    const { pull, installs, metrics } = this.#options;
    const isThere = pull !== "always" && (await this.#has(image, signal));
    metrics.lookedUp("docker", isThere ? "hit" : "miss");
    if (isThere) return;
    if (pull === "never") throw neverPulled(image);
    await installs.run(
      { key: image, name: image, work: (limit) => this.#pull(image, limit) },
      signal,
    );
  }

  async #has(image: string, signal: AbortSignal): Promise<boolean> {
    const question = ["image", "inspect", "--format", "{{.Id}}", image];
    if ((await this.#options.cli.ask(question, signal)) !== null) return true;
    await this.#expectEngine(signal);
    return false;
  }

  async #pull(image: string, signal: AbortSignal): Promise<void> {
    const end = await this.#options.cli.run(["pull", "--quiet", image], signal);
    if (end.code === 0) return;
    await this.#expectEngine(signal);
    throw pullFailed(image, end);
  }

  async #expectEngine(signal: AbortSignal): Promise<void> {
    const { cli, engine } = this.#options;
    const version = await cli.ask(["version", "--format", "{{.Server.Version}}"], signal);
    if (version !== null) return;
    throw launcherUnavailable(
      "docker",
      "the Docker engine does not answer",
      `Start the engine at ${engine}, set GANGWAY_HOST_DOCKER_ENGINE to another`,
    );
  }
}

function neverPulled(image: string): GatewayError {
  return new GatewayError("INSTALL_FAILED", `The image ${image} is not on the engine.`, {
    hint: "This host pulls no images (GANGWAY_HOST_DOCKER_PULL=never): the operator must load it into the engine.",
    details: { package: image },
  });
}

function pullFailed(image: string, { code, stderr }: CommandEnd): GatewayError {
  const stderrTail = stderr.read(createRedact({ secrets: [], plain: [] }));
  return new GatewayError("INSTALL_FAILED", `The image ${image} could not be pulled.`, {
    hint: "Check the image's name and version, and that the engine may read it; details.stderr_tail holds docker's last lines.",
    details: { package: image, exit_code: code, stderr_tail: stderrTail },
  });
}
