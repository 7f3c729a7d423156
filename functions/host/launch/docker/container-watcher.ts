import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../log.ts";
import type { DockerCli } from "./docker-cli.ts";

/**
 * The watcher outlives a host that is killed: at the end of its stdin it removes the containers of
 * the host's label. A docker command that died with the host may have just asked for one more:
 * only the second empty answer counts.
 */
const script = `
trap '' INT TERM HUP
cat >/dev/null
empty=0
tries=0
while [ $empty -lt 2 ] && [ $tries -lt 20 ]; do
  tries=$((tries + 1))
  if ids=$("$1" container ls --all --quiet --no-trunc --filter "label=$2") && [ -z "$ids" ]; then
    empty=$((empty + 1))
    [ $empty -lt 2 ] && sleep 0.2
  else
    empty=0
    [ -n "$ids" ] && "$1" container rm --force --volumes $ids >/dev/null || sleep 0.5
  fi
done
`;
/** A host that ends waits this long for the last container; the watcher goes on without it. */
const closeMs = 3000;

/** Sees to it that no container outlives the host, not even its kill -9. */
export class ContainerWatcher {
  readonly #cli: DockerCli;
  readonly #label: string;
  readonly #log: Log;
  #watcher: ChildProcess | undefined;

  /** `label` is `name=value`, of this host alone. */
  constructor(cli: DockerCli, { label, log }: { label: string; log: Log }) {
    this.#cli = cli;
    this.#label = label;
    this.#log = log;
  }

  /** To be called before each container: starts the watcher if none watches. */
  start(): void {
    const current = this.#watcher;
    if (current !== undefined && current.exitCode === null && current.signalCode === null) return;
    const [program] = this.#cli.argv();
    const args = ["-c", script, "gangway-container-watcher", program, this.#label];
    const watcher = spawn("/bin/sh", args, {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      cwd: "/",
      env: this.#cli.environment,
    });
    watcher.stdin.on("error", () => {
      /* Its end is noticed at the next start. */
    });
    watcher.once("error", (err) => {
      this.#watcher = undefined;
      this.#log.error({ err }, "container watcher could not be started");
    });
    watcher.unref();
    this.#watcher = watcher;
  }

  /** Lets it remove what is left; resolves when that is done, or after three seconds. */
  async close(): Promise<void> {
    const watcher = this.#watcher;
    if (watcher === undefined || watcher.exitCode !== null || watcher.signalCode !== null) return;
    const ended = once(watcher, "exit");
    watcher.stdin?.end();
    const timer = new AbortController();
    const late = sleep(closeMs, undefined, { signal: timer.signal }).catch(() => undefined);
    await Promise.race([ended, late]);
    timer.abort();
  }
}
