import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { inherited } from "../../../infra/start/inherited-environment.ts";
import { descendants } from "../process-tree.ts";
import { residentMiB } from "../resident-memory.ts";
import type { RealServer } from "./server-list.ts";

export interface NpxMeasure {
  /** Start to list, ms. */
  readonly ms: number;
  readonly memoryMiB: number;
  readonly processes: number;
  readonly stderrLines: number;
}

export type NpxOutcome =
  | { readonly ok: true; readonly measure: NpxMeasure }
  | { readonly ok: false; readonly reason: string; readonly tail: string };

const withinMs = { first: 120_000, second: 90_000 };

/** Starts a server by `npx -y` as people do by hand, twice; the second time tells. */
export async function byNpx(server: RealServer): Promise<NpxOutcome> {
  const home = await mkdtemp(join(tmpdir(), "gangway-npx-"));
  try {
    const first = await startByNpx(server, home, withinMs.first);
    return first.ok ? await startByNpx(server, home, withinMs.second) : first;
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Starts a server by npx in a home of its own, lists its tools, and ends all of it. */
export async function startByNpx(
  server: RealServer,
  home: string,
  limitMs: number,
): Promise<NpxOutcome> {
  const startedAt = performance.now();
  const child = await startNpx(server, home);
  const stderr: string[] = [];
  createInterface({ input: child.stderr ?? process.stdin }).on("line", (line) => stderr.push(line));
  const failure = await listTools(child, limitMs).then(() => null, String);
  const ms = performance.now() - startedAt;
  const tree = descendants(child.pid ?? 0);
  const memoryMiB = residentMiB(tree);
  await killTree(
    child,
    tree.map(({ pid }) => pid),
  );
  if (failure === null)
    return {
      ok: true,
      measure: { ms, memoryMiB, processes: tree.length, stderrLines: stderr.length },
    };
  return { ok: false, reason: failure, tail: stderr.slice(-12).join("\n") };
}

async function startNpx(server: RealServer, home: string): Promise<ChildProcess> {
  const work = join(home, "work");
  await mkdir(work, { recursive: true });
  const spec = `${server.package}@${server.version}`;
  const program = server.bin === undefined ? [spec] : ["-p", spec, server.bin];
  return spawn("npx", ["-y", ...program, ...(server.args ?? [])], {
    cwd: work,
    detached: true,
    env: {
      ...inherited(),
      HOME: home,
      npm_config_cache: join(home, "npm"),
      npm_config_update_notifier: "false",
      ...server.env,
    },
  });
}

/** Speaks just enough of the protocol to list tools. @throws why they are not listed */
async function listTools(child: ChildProcess, limitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (message: string) => reject(message);
  const timer = setTimeout(() => fail(`no list after ${limitMs / 1000} s`), limitMs);
  const send = (message: object) =>
    child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  child.stdin?.on("error", () => undefined); // Its end is told by "exit".
  child.once("error", (error) => fail(`npx cannot be run: ${error.message}`));
  child.once("close", (code, signal) => fail(`ended with ${signal ?? code}`));
  createInterface({ input: child.stdout ?? process.stdin }).on("line", (line) => {
    const answer = parse(line);
    if (answer?.["error"] !== undefined) return fail(`answered ${JSON.stringify(answer["error"])}`);
    if (answer?.["id"] === 1) {
      send({ method: "notifications/initialized" });
      send({ id: 2, method: "tools/list", params: {} });
    }
    if (answer?.["id"] === 2) resolve();
  });
  const clientInfo = { name: "by-hand", version: "1.0.0" };
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo },
  });
  return promise.finally(() => clearTimeout(timer));
}

function parse(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line);
  } catch {
    return null; // A line that is no message.
  }
}

/** npx's own end would leave the server two processes below it. */
async function killTree(child: ChildProcess, pids: readonly number[]): Promise<void> {
  const ended = child.exitCode !== null || child.signalCode !== null ? null : once(child, "close");
  for (const pid of [-(child.pid ?? 0), ...pids]) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
  await ended;
}
