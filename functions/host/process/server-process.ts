import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { PreparedLaunch } from "../launch/prepare.ts";
import type { Log } from "../log.ts";
import { type Codec, openCodec } from "./codec.ts";
import type { EndReason, StopCause } from "./end-reason.ts";
import { serverEnvironment } from "./environment.ts";
import { FrameAllowances } from "./frame-allowances.ts";
import type { Isolation } from "../isolation/open-isolation.ts";
import type { GroupWatcher } from "./group-watcher.ts";
import { logNoise } from "./log-noise.ts";
import { type FailedProcess, processExited } from "./process-failure.ts";
import { signalGroup } from "./process-group.ts";
import { openPlace, type ProcessPlace } from "./process-place.ts";
import type { Redact } from "./redact.ts";
import { type ServerChild, spawnServer } from "./spawn-server.ts";
import { startFault } from "./start-fault.ts";
import { StderrTail } from "./stderr-tail.ts";
import { StdinQueue } from "./stdin-queue.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { stopProcess } from "./stop-process.ts";
import { watchEnd } from "./watch-end.ts";

export interface ProcessDependencies {
  readonly instanceFolder: string;
  readonly watcher: GroupWatcher;
  /** null = every process runs as the host's own user. */
  readonly isolation: Isolation | null;
  readonly stopGraceMs: number;
  /** Milliseconds that a server may leave the answers to its own requests unread; 10 s by default. */
  readonly stdinStallMs?: number;
  readonly log: Log;
  /** Told of each process that had to be killed. */
  readonly onKill?: () => void;
}

export interface ProcessOptions {
  readonly prepared: PreparedLaunch;
  readonly redact: Redact;
  readonly maxFrameBytes: number;
}

interface StartedChild {
  readonly child: ServerChild;
  readonly codec: Codec;
  readonly place: ProcessPlace;
}

/**
 * One process of an MCP server, from spawn to the last trace of it. How it ended is recorded once;
 * whatever the reason, its group is killed and its folders are removed.
 */
export class ServerProcess implements FailedProcess {
  readonly pid: number | undefined;
  /** What runs, for messages; values are masked. */
  readonly command: string;
  readonly transport: StdioTransport;
  /** The runs in flight tell here how large lines may be. */
  readonly frames = new FrameAllowances((bytes) => (this.transport.maxFrameBytes = bytes));
  /** Settles when the process can answer nothing any more; never rejects. */
  readonly ended: Promise<EndReason>;
  /** Settles when nothing is left: no process of the group, no folder. */
  readonly gone: Promise<void>;
  readonly #child: ServerChild;
  readonly #stdin: StdinQueue;
  /** Why stdout is not read at the moment. */
  readonly #stdoutHolds = new Set<"backlog" | "stdin">();
  readonly #exited: Promise<void>;
  readonly #stderr = new StderrTail();
  readonly #redact: Redact;
  readonly #deps: ProcessDependencies;
  #stopCause: StopCause | undefined;
  #end: EndReason | undefined;
  #withheld = false;

  private constructor(started: StartedChild, options: ProcessOptions, deps: ProcessDependencies) {
    const { child, codec, place } = started;
    this.#child = child;
    this.#redact = options.redact;
    this.#deps = deps;
    this.pid = child.pid;
    this.command = options.prepared.command;
    this.#stdin = this.#openStdin();
    this.transport = this.#openTransport(codec, options);
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    this.#exited = new Promise((resolve) => child.once("exit", () => resolve()));
    this.ended = this.#watchEnd();
    this.gone = this.ended.then(() => this.#cleanUp(place, options.prepared));
  }

  /**
   * Starts the process. A program that cannot be run is told by `ended`, not by rejection.
   * @throws GatewayError CONFIG_INVALID for an unknown encoding, PROCESS_START_FAILED for argv or
   * environment that no process can have, that the system refuses, or for which the disk has no
   * room, CAPACITY when the host has no user id left.
   */
  static async start(options: ProcessOptions, deps: ProcessDependencies): Promise<ServerProcess> {
    const { launch, argv } = options.prepared;
    const codec = openCodec(launch.encoding);
    // What docker starts is kept apart by its engine; its command has to reach it.
    const isolation = launch.runner === "docker" ? null : deps.isolation;
    let place: ProcessPlace | undefined;
    try {
      place = await openPlace({ ...deps, isolation });
      const own = serverEnvironment(launch, place.directories);
      const environment = { ...own, ...options.prepared.environment };
      const child = spawnServer(place.limit(argv), { ...place, environment });
      if (child.pid !== undefined) {
        deps.watcher.add(child.pid);
        place.enter(child.pid);
      }
      return new ServerProcess({ child, codec, place }, options, deps);
    } catch (cause) {
      await place?.leave();
      throw cause instanceof GatewayError ? cause : startFault(cause);
    }
  }

  /** How it ended; undefined while it can answer. */
  get end(): EndReason | undefined {
    return this.#end;
  }

  /** It can answer, and nobody has begun to stop it. */
  get usable(): boolean {
    return this.#end === undefined && this.#stopCause === undefined;
  }

  /** Bytes that were written to it and that it has not read. */
  get queuedBytes(): number {
    return this.#stdin.queuedBytes;
  }

  /** The end of what it printed to stderr, values masked; null when that is told to nobody. */
  get stderrTail(): string | null {
    return this.#withheld ? null : this.#stderr.read(this.#redact);
  }

  /** From here on nobody is told what it prints or has printed. */
  withholdStderr(): void {
    this.#withheld = true;
  }

  /** Stops it, by force where it must be; resolves when nothing is left. Idempotent. */
  async stop(cause: StopCause): Promise<void> {
    if (this.usable) {
      this.#stopCause = cause;
      await this.#stopChild();
    }
    await this.gone;
  }

  async #stopChild(): Promise<void> {
    const { stopGraceMs, onKill } = this.#deps;
    const { killed } = await stopProcess(this.#child, this.#exited, stopGraceMs);
    if (killed) onKill?.();
  }

  #openTransport(codec: Codec, { redact, maxFrameBytes }: ProcessOptions): StdioTransport {
    return new StdioTransport({
      codec,
      maxFrameBytes,
      onStart: () =>
        this.#child.stdout.on("data", (chunk: Buffer) => this.transport.receive(chunk)),
      onBacklog: (exists) => this.#holdStdout("backlog", exists),
      write: (frame, kind) => this.#stdin.write(frame, kind),
      onCloseRequest: () => this.stop("session-closed"),
      onNoise: logNoise(this.#deps.log, { pid: this.pid, redact }),
      onFlood: () => void this.stop("flood"),
    });
  }

  #openStdin(): StdinQueue {
    const { stdinStallMs } = this.#deps;
    return new StdinQueue(this.#child.stdin, {
      onPressure: (exists) => this.#holdStdout("stdin", exists),
      onStuck: () => void this.stop("stdin-blocked"),
      ...(stdinStallMs === undefined ? {} : { stallMs: stdinStallMs }),
    });
  }

  #holdStdout(why: "backlog" | "stdin", holds: boolean): void {
    if (holds) this.#stdoutHolds.add(why);
    else this.#stdoutHolds.delete(why);
    if (this.#stdoutHolds.size > 0) this.#child.stdout.pause();
    else this.#child.stdout.resume();
  }

  async #watchEnd(): Promise<EndReason> {
    const end = await watchEnd(this.#child);
    this.#end = this.#stopCause === undefined ? end : { kind: "stopped", cause: this.#stopCause };
    this.transport.end(processExited(this));
    return this.#end;
  }

  async #cleanUp(place: ProcessPlace, prepared: PreparedLaunch): Promise<void> {
    if (this.#end?.kind === "closed-stdout") await this.#stopChild();
    if (this.pid !== undefined) {
      signalGroup(this.pid, "SIGKILL"); // What the leader has left behind.
      this.#deps.watcher.remove(this.pid);
    }
    this.#stdin.close();
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    await prepared.cleanUp?.();
    await place.leave();
  }
}
