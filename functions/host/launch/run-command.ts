import { spawn } from "node:child_process";
import type { Identity } from "../isolation/identity.ts";
import type { GroupWatcher } from "../process/group-watcher.ts";
import { signalGroup } from "../process/process-group.ts";
import type { Argv } from "../process/spawn-server.ts";
import { StderrTail } from "../process/stderr-tail.ts";

export interface Command {
  readonly argv: Argv;
  readonly cwd: string;
  /** The whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Who it runs as; left out or null = the host's own user. */
  readonly identity?: Identity | null;
  readonly watcher: GroupWatcher;
  /** Aborting kills the program and its descendants. */
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  /** The exit code, or the name of a signal or of the system's error. */
  readonly code: number | string;
  /** The beginning of what it printed, at most 64 KiB. */
  readonly stdout: string;
  readonly stderr: StderrTail;
}

const keptBytes = 64 * 1024;

/** Runs a program of the host's own to its end. @throws the signal's reason when it aborts. */
export async function runCommand({ signal, watcher, ...command }: Command): Promise<CommandEnd> {
  signal.throwIfAborted();
  const [program, ...args] = command.argv;
  const child = spawn(program, args, {
    cwd: command.cwd,
    env: command.environment,
    ...command.identity,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stderr = new StderrTail();
  const stdout: Buffer[] = [];
  let length = 0;
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdout.on("data", (chunk: Buffer) => {
    if (length < keptBytes) stdout.push(chunk);
    length += chunk.length;
  });
  const group = child.pid;
  const kill = () => group !== undefined && signalGroup(group, "SIGKILL");
  if (group !== undefined) watcher.add(group);
  signal.addEventListener("abort", kill, { once: true });
  const code = await new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve("code" in error ? String(error.code) : error.name));
    child.once("close", (exitCode, killedBy) => resolve(exitCode ?? String(killedBy)));
  });
  signal.removeEventListener("abort", kill);
  if (group !== undefined) watcher.remove(group);
  signal.throwIfAborted();
  return { code, stdout: Buffer.concat(stdout).toString("utf8", 0, keptBytes), stderr };
}
