import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const fixtures = new URL("../fixtures/", import.meta.url);
const readyWithinMs = 15_000;

export interface StartedFixture {
  /** Origin of the server, `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly pid: number;
  /** Ends the process; resolves when it is gone. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a fixture server as its own process. `path` is relative to test/fixtures. The program
 * prints `{"port": N}` on its first line and ends by itself when its stdin ends.
 */
export function startFixture(
  path: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedFixture> {
  return startFixtureBy([process.execPath], path, { args, env });
}

/** Starts a fixture by another program than Node: `command` comes before the fixture's path. */
export async function startFixtureBy(
  [program, ...before]: readonly [string, ...string[]],
  path: string,
  {
    args,
    env,
  }: { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> },
): Promise<StartedFixture> {
  const child = spawn(program, [...before, fileURLToPath(new URL(path, fixtures)), ...args], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  const exited = once(child, "exit");
  try {
    const port = await firstPort(child.stdout, exited);
    return {
      url: `http://127.0.0.1:${port}`,
      pid: child.pid ?? 0,
      close: async () => {
        child.kill("SIGKILL");
        await exited;
      },
    };
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
}

async function firstPort(stdout: NodeJS.ReadableStream, exited: Promise<unknown>): Promise<number> {
  const lines = createInterface({ input: stdout });
  const deadline = AbortSignal.timeout(readyWithinMs);
  const line = once(lines, "line", { signal: deadline });
  const [first] = (await Promise.race([line, exited.then(() => [null])])) as [unknown];
  const ready: unknown = typeof first === "string" ? JSON.parse(first) : null;
  if (typeof ready !== "object" || ready === null || !("port" in ready)) {
    throw new TypeError(`the fixture did not print its port, but ${String(first)}`);
  }
  return Number(ready.port);
}
