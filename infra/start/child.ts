import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";

/** How a child was started, and where its output goes. */
export interface ChildOptions {
  /** For messages: `edge`, `host`. */
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
}

/** One program that runs for as long as Gangway does, in a process group of its own. */
export interface Child {
  readonly name: string;
  /** Its process group; 0 when it could not be started. */
  readonly group: number;
  /** Settles when the program has ended, whatever the reason, with one line that tells how. */
  readonly ended: Promise<string>;
  /** The last lines of its log. */
  readonly logTail: () => string;
  /** Ends the whole group: SIGTERM, and SIGKILL when that does not help. Idempotent. */
  readonly stop: () => Promise<void>;
}

/** The host lets calls in flight end and then stops its servers, each step with its own grace. */
const graceMs = 12_000;
const tailLines = 20;

/** Starts a program with this Node. The child gets `env` and nothing else. */
export function startChild(options: ChildOptions): Child {
  const log = openSync(options.logFile, "w", 0o600);
  const child = spawn(process.execPath, options.args, {
    cwd: options.cwd,
    env: options.env,
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const ended = untilEnd(child, options.name);
  return {
    name: options.name,
    group: child.pid ?? 0,
    ended,
    logTail: () =>
      readFileSync(options.logFile, "utf8").trimEnd().split("\n").slice(-tailLines).join("\n"),
    stop: () => stopGroup(child, ended),
  };
}

function untilEnd(child: ChildProcess, name: string): Promise<string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(`The ${name} could not be started: ${error.message}`));
    child.once("exit", (code, signal) =>
      resolve(`The ${name} ended with ${signal === null ? `exit code ${code}` : signal}.`),
    );
  });
}

async function stopGroup(child: ChildProcess, ended: Promise<string>): Promise<void> {
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), graceMs);
  await ended;
  clearTimeout(timer);
  // What the program itself may have left in its group.
  signalGroup(child, "SIGKILL");
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended.
  }
}
