import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export type ServerChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** argv[0] is a path or a name on the host's program path; no shell ever sees any of it. */
export type Argv = readonly [program: string, ...args: string[]];

/** Starts a program in a process group of its own, so that its descendants end with it. */
export function spawnServer(
  argv: Argv,
  options: { readonly cwd: string; readonly environment: Record<string, string> },
): ServerChild {
  const [program, ...args] = argv;
  return spawn(program, args, {
    cwd: options.cwd,
    env: options.environment,
    detached: true,
    shell: false,
    stdio: ["pipe", "pipe", "pipe"],
  });
}
