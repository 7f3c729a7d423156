import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { PreparedLaunch } from "../launch/prepare.ts";
import type { Log } from "../log.ts";
import { type Codec, openCodec } from "./codec.ts";
import { makeDirectories, type ProcessDirectories, removeDirectories } from "./directories.ts";
import { describeEnd, endDetails, type EndReason, type StopCause } from "./end-reason.ts";
import { serverEnvironment } from "./environment.ts";
import type { GroupWatcher } from "./group-watcher.ts";
import { signalGroup } from "./process-group.ts";
import type { Redact } from "./redact.ts";
import { type ServerChild, spawnServer } from "./spawn-server.ts";
import { StderrTail } from "./stderr-tail.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { stopProcess } from "./stop-process.ts";
import { logNoise } from "./log-noise.ts";

export interface ProcessDependencies {
  readonly instanceFolder: string;
  readonly watcher: GroupWatcher;
  readonly stopGraceMs: number;
  readonly log: Log;
}

export interface ProcessOptions {
  readonly prepared: PreparedLaunch;
  readonly redact: Redact;
  readonly maxFrameBytes: number;
}

interface StartedChild {
  readonly child: ServerChild;
  readonly codec: Codec;
  readonly directories: ProcessDirectories;
}

/** After the exit, how long output that is still in the pipes is waited for. */
const drainMs = 200;

/**
 * One process of an MCP server, from spawn to the last trace of it. How it ended is recorded once;
 * whatever the reason, its group is killed and its folders are removed.
 */
export class ServerProcess {
  readonly pid: number | undefined;
  /** What runs, for messages; values are masked. */
  readonly command: string;
  readonly transport: StdioTransport;
  /** Settles when the process can answer nothing any more; never rejects. */
  readonly ended: Promise<EndReason>;
  /** Settles when nothing is left: no process of the group, no folder. */
  readonly gone: Promise<void>;
  readonly #child: ServerChild;
  readonly #exited: Promise<void>;
  readonly #stderr = new StderrTail();
  readonly #redact: Redact;
  readonly #deps: ProcessDependencies;
  readonly #allowances = new Set<{ readonly bytes: number }>();
  #stopCause: StopCause | undefined;
  #end: EndReason | undefined;

  private constructor(started: StartedChild, options: ProcessOptions, deps: ProcessDependencies) {
    const { child, codec, directories } = started;
    this.#child = child;
    this.#redact = options.redact;
    this.#deps = deps;
    this.pid = child.pid;
    this.command = options.prepared.command;
    this.transport = this.#openTransport(codec, options);
    child.stderr.on("data", (chunk: Buffer) => this.#stderr.push(chunk));
    child.stdin.on("error", () => {
      /* Each write tells its own failure. */
    });
    this.#exited = new Promise((resolve) => child.once("exit", () => resolve()));
    this.ended = this.#watchEnd();
    this.gone = this.ended.then(() => this.#cleanUp(directories));
  }

  /**
   * Starts the process. A program that cannot be run is told by `ended`, not by rejection.
   * @throws GatewayError CONFIG_INVALID for an unknown encoding, PROCESS_START_FAILED for argv or
   * environment that no process can have.
   */
  static async start(options: ProcessOptions, deps: ProcessDependencies): Promise<ServerProcess> {
    const { launch, argv } = options.prepared;
    const codec = openCodec(launch.encoding);
    const directories = await makeDirectories(deps.instanceFolder);
    try {
      const environment = serverEnvironment(launch, directories);
      const child = spawnServer(argv, { cwd: directories.work, environment });
      if (child.pid !== undefined) deps.watcher.add(child.pid);
      return new ServerProcess({ child, codec, directories }, options, deps);
    } catch (cause) {
      await removeDirectories(directories);
      // Node's message shows the argument or variable at fault, with its value.
      throw new GatewayError("PROCESS_START_FAILED", "The server's arguments or environment hold a character that none may hold, such as NUL.", { cause });
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

  /** The end of what it printed to stderr, values masked. */
  stderrTail(): string {
    return this.#stderr.read(this.#redact);
  }

  /** Reads lines of up to `bytes` until disposed of; of several allowances the largest counts. */
  allowFrames(bytes: number): Disposable {
    const allowance = { bytes };
    this.#allowances.add(allowance);
    this.#applyAllowances();
    return {
      [Symbol.dispose]: () => {
        this.#allowances.delete(allowance);
        this.#applyAllowances();
      },
    };
  }

  /** A failure that names the program, how it ended (if it has), and the end of its stderr. */
  failure(code: "PROCESS_EXITED" | "PROCESS_START_FAILED" | "CONNECT_TIMEOUT", when: string): GatewayError {
    const end = this.#end;
    const told = end === undefined ? "is not ready" : describeEnd(end);
    return new GatewayError(code, `The server's process (${this.command}) ${told} ${when}.`, {
      executed: code === "PROCESS_EXITED" ? "maybe" : "no",
      details: {
        command: this.command,
        ...(end === undefined ? {} : endDetails(end)),
        stderr_tail: this.stderrTail(),
      },
    });
  }

  /** Stops it, by force where it must be; resolves when nothing is left. Idempotent. */
  async stop(cause: StopCause): Promise<void> {
    if (this.usable) {
      this.#stopCause = cause;
      await stopProcess(this.#child, this.#exited, this.#deps.stopGraceMs);
    }
    await this.gone;
  }

  #applyAllowances(): void {
    if (this.#allowances.size === 0) return;
    this.transport.maxFrameBytes = Math.max(...[...this.#allowances].map(({ bytes }) => bytes));
  }

  #openTransport(codec: Codec, { redact, maxFrameBytes }: ProcessOptions): StdioTransport {
    return new StdioTransport({
      codec,
      maxFrameBytes,
      onStart: () => this.#child.stdout.on("data", (chunk: Buffer) => this.transport.receive(chunk)),
      write: (frame) => this.#write(frame),
      onCloseRequest: () => this.stop("session-closed"),
      onNoise: logNoise(this.#deps.log, { pid: this.pid, redact }),
      onFlood: () => void this.stop("flood"),
    });
  }

  #write(frame: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#child.stdin.write(frame, (cause) => {
        if (!cause) resolve();
        else reject(new GatewayError("CONNECTION_LOST", "The server's process reads its stdin no more.", { cause }));
      });
    });
  }

  async #watchEnd(): Promise<EndReason> {
    const end = await firstEnd(this.#child);
    this.#end = this.#stopCause === undefined ? end : { kind: "stopped", cause: this.#stopCause };
    this.transport.end(this.failure("PROCESS_EXITED", "in the middle of the operation"));
    return this.#end;
  }

  async #cleanUp(directories: ProcessDirectories): Promise<void> {
    if (this.#end?.kind === "closed-stdout") await stopProcess(this.#child, this.#exited, this.#deps.stopGraceMs);
    if (this.pid !== undefined) {
      signalGroup(this.pid, "SIGKILL"); // What the leader has left behind.
      this.#deps.watcher.remove(this.pid);
    }
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
    await removeDirectories(directories);
  }
}

/** The first sign that nothing will come any more, after what is still in the pipes was read. */
async function firstEnd(child: ServerChild): Promise<EndReason> {
  const exited = new Promise<EndReason>((resolve) => {
    child.once("exit", (exitCode, signal) => resolve({ kind: "exited", exitCode, signal }));
    child.once("error", (error) => resolve({ kind: "spawn-failed", errno: errnoOf(error) }));
  });
  const closed = Promise.all([streamEnd(child.stdout), streamEnd(child.stderr)]);
  const stdoutEnded = streamEnd(child.stdout).then(() => sleep(drainMs));
  const end = await Promise.race([exited, stdoutEnded.then((): EndReason => ({ kind: "closed-stdout" }))]);
  if (end.kind === "exited") await Promise.race([closed, sleep(drainMs)]);
  return end;
}

function streamEnd(stream: Readable): Promise<void> {
  return new Promise((resolve) => stream.once("close", () => resolve()));
}

function errnoOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
