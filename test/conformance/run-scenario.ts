import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../support/source-files.ts";
import type { Scenario } from "./requirements.ts";

export interface ScenarioRun {
  readonly passed: boolean;
  /** What the suite wrote. */
  readonly report: string;
}

const suite = join(root, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const client = fileURLToPath(new URL("client.ts", import.meta.url));
/** For the client alone; the suite ends it then and reports. */
const clientMs = 30_000;
// The suite's commands are texts that a shell reads.
const quoted = (path: string): string => `'${path}'`;

/** Runs the suite's own program for one scenario, with Gangway's client at its other end. */
export async function runScenario(
  { name, revision }: Scenario,
  environment: Readonly<Record<string, string>>,
): Promise<ScenarioRun> {
  const command = `${quoted(process.execPath)} ${quoted(client)}`;
  const options = { "--command": command, "--scenario": name, "--spec-version": revision };
  const args = Object.entries({ ...options, "--timeout": String(clientMs) }).flat();
  const child = spawn(process.execPath, [suite, "client", ...args], {
    env: { PATH: process.env["PATH"], ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const parts: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => parts.push(chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => parts.push(chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  const report = parts.join("");
  // The suite skips what does not apply to a revision with status 0: nothing has passed then.
  return { passed: code === 0 && report.includes("OVERALL: PASSED"), report };
}
