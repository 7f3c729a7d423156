import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { ServerProcess } from "../process/server-process.ts";
import type { WarmServer } from "./warm-server.ts";

/** Starts a server; tells the pool of its process as soon as there is one. */
export type StartServer = (own: (process: ServerProcess) => void) => Promise<WarmServer>;

/** How long a caller waits before it tries again when every process is in use. */
const retryAfterS = 5;

/** Counts processes from the wish to start one until nothing of it is left, and holds the cap. */
export class Capacity {
  readonly #maxProcesses: number;
  readonly #processes = new Set<ServerProcess>();
  #admitted = 0;
  #closing = false;

  constructor(maxProcesses: number) {
    this.#maxProcesses = maxProcesses;
  }

  /**
   * Starts a server within the cap. `evict` stops one process that can be done without and
   * resolves when it is gone; null = there is none.
   * @throws GatewayError CAPACITY, or what the start fails with.
   */
  async start(start: StartServer, evict: () => Promise<void> | null): Promise<WarmServer> {
    await this.#makeRoom(evict);
    this.#admitted += 1;
    let process: ServerProcess | undefined;
    try {
      return await start((owned) => {
        process = owned;
        void this.#own(owned);
      });
    } finally {
      if (process === undefined) this.#admitted -= 1;
    }
  }

  /** Processes that are being stopped, or have ended and left something that is being removed. */
  get stopping(): number {
    return [...this.#processes].filter(({ usable }) => !usable).length;
  }

  /** Stops every process, those that are yet to come as well; resolves when none is left. */
  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#processes].map((process) => process.stop("shutdown")));
  }

  async #makeRoom(evict: () => Promise<void> | null): Promise<void> {
    while (this.#admitted >= this.#maxProcesses) {
      const leaving = evict() ?? this.#leaving();
      if (leaving === null) throw this.#full();
      await leaving;
    }
  }

  /** The end of a process that is being stopped already and still holds its place; null = none. */
  #leaving(): Promise<void> | null {
    return [...this.#processes].find(({ usable }) => !usable)?.gone ?? null;
  }

  async #own(process: ServerProcess): Promise<void> {
    this.#processes.add(process);
    if (this.#closing) void process.stop("shutdown");
    await process.gone;
    this.#processes.delete(process);
    this.#admitted -= 1;
  }

  #full(): GatewayError {
    const max = this.#maxProcesses;
    const told = `All ${max} processes of the host are in use.`;
    return new GatewayError("CAPACITY", told, { retryAfterS, details: { max_processes: max } });
  }
}
