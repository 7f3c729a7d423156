import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Identity } from "../isolation/identity.ts";

export type ServerChild = ChildProcessByStdio<Writable, Readable, Readable>;

/** argv[0] is a path or a name on the host's program path; no shell ever sees any of it. */
export type Argv = readonly [program: string, ...args: string[]];

export interface SpawnOptions {
  readonly cwd: string;
  readonly environment: Record<string, string>;
  /** Who it runs as; null = the host's own user. */
  readonly identity: Identity | null;
}

/** Starts a program in a process group of its own, so that its descendants end with it. */
export function spawnServer(argv: Argv, options: SpawnOptions): ServerChild {
  const [program, ...args] = argv;
  return spawn(program, args, {
    cwd: options.cwd,
    env: options.environment,
    ...options.identity,
    detached: true,
    shell: false,
    stdio: ["pipe", "pipe", "pipe"],
  });
}
