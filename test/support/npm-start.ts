import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { until } from "./host-processes.ts";
import { descendants, type ProcessEntry, survivors } from "./process-tree.ts";

export interface NpmStart {
  /** All lines printed so far. */
  readonly lines: readonly string[];
  /** The address of the `Ready:` line. */
  readonly url: string;
  readonly key: string;
  /** The `curl` lines that it printed. */
  readonly curlLines: () => string[];
  /** Ctrl-C in its terminal; answers what it had started, and what of that is left. */
  readonly interrupt: () => Promise<{ started: ProcessEntry[]; left: ProcessEntry[] }>;
}

/** A cold install of the self-check's package on a busy machine takes a while. */
const readyMs = 110_000;
const endMs = 20_000;

/** Runs a command line that is `npm start …`, as a terminal would, and waits for its `Ready:` line. */
export async function npmStart(command: string, cwd: string): Promise<NpmStart> {
  // A group of its own, as a terminal's foreground job has; Ctrl-C goes to all of it.
  const child = spawn("sh", ["-c", command], {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => lines.push(line));
  }
  const ended = once(child, "exit");
  const ready = () => lines.find((line) => line.startsWith("Ready: "));
  await until(
    `${command} is ready`,
    () => ready() !== undefined || child.exitCode !== null,
    readyMs,
  );
  const [, url, key] = /^Ready: (http\S+)  key: (gw_\S+)$/.exec(ready() ?? "") ?? [];
  if (url === undefined || key === undefined) {
    throw new TypeError(`${command} did not become ready:\n${lines.join("\n")}`);
  }
  const curlLines = () => lines.filter((line) => line.startsWith("curl "));
  await until("the examples are printed", () => curlLines().length === 3, readyMs);
  return { lines, url, key, curlLines, interrupt: () => interrupt(child, ended) };
}

async function interrupt(child: ChildProcess, ended: Promise<unknown>) {
  const started = descendants(Number(child.pid));
  process.kill(-Number(child.pid), "SIGINT");
  await ended;
  await until("all of it has ended", () => survivors(started).length === 0, endMs).catch(
    () => undefined, // Told as what is left.
  );
  return { started, left: survivors(started) };
}
