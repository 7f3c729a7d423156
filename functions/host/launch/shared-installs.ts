import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { deadline } from "../deadline.ts";
import type { Log } from "../log.ts";
import type { HostMetrics } from "../metrics/host-metrics.ts";
import { waitFor } from "../wait-for.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { Turns } from "./npm/turns.ts";

export interface SharedInstallsOptions {
  /** How many run at once; the others wait for their turn. */
  readonly atOnce: number;
  /** Most that one may take, whoever waits for it. */
  readonly maxMs: number;
  /** Whose packages they are. */
  readonly runner: Launch["runner"];
  readonly log: Log;
  readonly metrics: HostMetrics;
  readonly now: () => number;
  /** Told when an installation is over, however it ended. */
  readonly onEnd?: () => void;
}

/** One installation: what is installed, as messages name it, and the work. */
export interface Install<Installed> {
  /** One for those that are the same work. */
  readonly key: string;
  readonly name: string;
  readonly work: (signal: AbortSignal) => Promise<Installed>;
  /** What the log tells of the outcome, besides the name. */
  readonly tell?: (installed: Installed) => Record<string, unknown>;
}

/** Installations that serve all who ask meanwhile, and go on when they give up. */
export class SharedInstalls<Installed> {
  readonly #options: SharedInstallsOptions;
  readonly #turns: Turns;
  readonly #running = new Map<string, Promise<Installed>>();
  readonly #closing = new AbortController();

  constructor(options: SharedInstallsOptions) {
    this.#options = options;
    this.#turns = new Turns(options.atOnce);
    options.metrics.watchInstalls(options.runner, () => ({
      running: this.#turns.running,
      waiting: this.#turns.waiting,
    }));
  }

  /**
   * The outcome of the installation of that key, which is begun if none runs; `signal` ends the
   * caller's wait with its own reason.
   * @throws GatewayError what the work fails with, INSTALL_TIMEOUT, NOT_READY, or the signal's reason.
   */
  run(install: Install<Installed>, signal: AbortSignal): Promise<Installed> {
    return waitFor(this.#running.get(install.key) ?? this.#begin(install), signal);
  }

  /** Installations that run or wait for their turn. */
  get count(): number {
    return this.#running.size;
  }

  /** The host ends: what fails now was ended by it. */
  get closing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** Ends installations that run. */
  async close(): Promise<void> {
    const ending = new GatewayError("NOT_READY", "The host is shutting down.", { retryAfterS: 5 });
    this.#closing.abort(ending);
    await Promise.allSettled(this.#running.values());
  }

  #begin(install: Install<Installed>): Promise<Installed> {
    const started = this.#turns
      .run(() => this.#timed(install))
      .finally(() => {
        this.#running.delete(install.key);
        this.#options.onEnd?.();
      });
    this.#running.set(install.key, started);
    started.catch(() => {
      /* Told to those who wait; it must not count as unhandled when they have all gone. */
    });
    return started;
  }

  async #timed({ name, work, tell }: Install<Installed>): Promise<Installed> {
    const { maxMs, runner, log, metrics, now } = this.#options;
    const startedAt = now();
    const late = () =>
      new GatewayError("INSTALL_TIMEOUT", `${name} was not installed within ${maxMs} ms.`);
    using limit = deadline(maxMs, this.#closing.signal, late);
    try {
      limit.signal.throwIfAborted();
      const installed = await work(limit.signal);
      const ms = now() - startedAt;
      metrics.installed(runner, "done", ms);
      log.info({ package: name, ...tell?.(installed), ms }, "package installed");
      return installed;
    } catch (error) {
      const ms = now() - startedAt;
      metrics.installed(runner, "failed", ms);
      log.warn({ package: name, ms }, "package could not be installed");
      throw error;
    }
  }
}
