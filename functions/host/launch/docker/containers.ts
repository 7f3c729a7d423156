import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../log.ts";
import { ContainerWatcher } from "./container-watcher.ts";
import type { DockerCli } from "./docker-cli.ts";

const hostLabel = "dev.gangway.host";
const instanceLabel = "dev.gangway.instance";
/** Pauses between attempts to remove a container, milliseconds. */
const removalPausesMs = [0, 100, 300, 800, 1500];

export interface ContainersOptions {
  readonly cli: DockerCli;
  /** Keeps who this host is over its restarts. */
  readonly root: string;
  /** Its name is the instance's; one of its siblings is gone when that host is dead. */
  readonly instanceFolder: string;
  readonly log: Log;
}

/** What a container is to be called, so that it can be found again whatever happens. */
export interface ContainerIdentity {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The host's containers: named and labelled before they start, removed by name at their end, and
 * swept when a host ended without doing so. Several hosts may share an engine.
 */
export class Containers {
  readonly #options: ContainersOptions;
  readonly #labels: Readonly<Record<string, string>>;
  readonly #watcher: ContainerWatcher;

  constructor(options: ContainersOptions) {
    this.#options = options;
    const instance = basename(options.instanceFolder);
    this.#labels = { [hostLabel]: readHostId(options.root), [instanceLabel]: instance };
    const label = `${instanceLabel}=${instance}`;
    this.#watcher = new ContainerWatcher(options.cli, { label, log: options.log });
  }

  /** An identity for one container to come. */
  plan(): ContainerIdentity {
    this.#watcher.start();
    return { name: `gangway-${randomUUID()}`, labels: this.#labels };
  }

  /** Removes a container, whatever state it is in; resolves when the engine has none of that name. */
  async remove(name: string): Promise<void> {
    for (const pauseMs of removalPausesMs) {
      await sleep(pauseMs);
      const left = await this.#list(`name=^/?${name}$`);
      if (left?.length === 0) return;
      if (left !== null) await this.#removeAll(left.map(({ id }) => id));
    }
    this.#options.log.error({ container: name }, "a container could not be removed");
  }

  /** Removes the containers that earlier instances of this host have left. */
  async sweep(): Promise<void> {
    const left = await this.#list(`label=${hostLabel}=${this.#labels[hostLabel]}`);
    const instances = dirname(this.#options.instanceFolder);
    const dead = (left ?? []).filter(({ instance }) => !existsSync(join(instances, instance)));
    if (dead.length === 0) return;
    await this.#removeAll(dead.map(({ id }) => id));
    this.#options.log.warn({ containers: dead.length }, "removed containers of a dead host");
  }

  /** Removes what is left of this host. */
  close(): Promise<void> {
    return this.#watcher.close();
  }

  async #removeAll(ids: readonly string[]): Promise<void> {
    if (ids.length > 0)
      await this.#options.cli.ask(["container", "rm", "--force", "--volumes", ...ids]);
  }

  /** Containers in any state; null when the engine does not tell. */
  async #list(filter: string): Promise<{ id: string; instance: string }[] | null> {
    const format = `{{.ID}} {{.Label "${instanceLabel}"}}`;
    const told = await this.#options.cli.ask([
      "container",
      "ls",
      "--all",
      "--no-trunc",
      "--filter",
      filter,
      "--format",
      format,
    ]);
    if (told === null) return null;
    const lines = told.split("\n").filter((line) => line !== "");
    return lines.map((line) => {
      const [id = "", instance = ""] = line.split(" ");
      return { id, instance };
    });
  }
}

/** Who the host is on its engine: made once and kept with its data. */
function readHostId(root: string): string {
  const file = join(root, "host-id");
  mkdirSync(root, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, randomUUID(), { flag: "wx" });
  } catch {
    // An earlier start has made it.
  }
  return readFileSync(file, "utf8");
}
