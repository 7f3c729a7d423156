import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../support/everything-http.ts";
import { type NpmStart, npmStart } from "../support/npm-start.ts";
import { readmeSection } from "../support/readme.ts";
import { type TreeCopy, treeCopy } from "../support/tree-copy.ts";

// A server that the README does not name, and a tool of it.
const ownPackage = "@modelcontextprotocol/server-memory@2026.8.31";
const ownTool = "read_graph";

const startedAt = performance.now();
let running: NpmStart | null = null;
/** The README makes files in the project's folder, where a user may have files of the same names. */
let tree: TreeCopy;

beforeAll(async () => {
  tree = await treeCopy();
});

afterAll(() => tree.dispose());

afterEach(async () => {
  await running?.interrupt();
  running = null;
});

function tell(line: string): void {
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(2);
  console.log(`${minutes} min  ${line}`);
}

/** The README's default ports may be in use on this machine: the same commands on free ones. */
async function freePorts() {
  const [port, hostPort] = [await freePort(), await freePort()];
  const options = `--port ${port} --host-port ${hostPort}`;
  return {
    start: (command: string) =>
      command.includes(" -- ") ? `${command} ${options}` : `${command} -- ${options}`,
    curl: (command: string) => command.replaceAll(":8787/", `:${port}/`),
  };
}

async function start(command: string): Promise<NpmStart> {
  tell(`$ ${command}`);
  running = await npmStart(command, tree.folder);
  tell(running.lines.find((line) => line.startsWith("Self-check")) ?? "no self-check");
  return running;
}

function shell(script: string): Promise<string> {
  tell(`$ ${script.split("\n").join("\n          ")}`);
  return new Promise((resolve, reject) => {
    execFile("sh", ["-c", script], { cwd: tree.folder }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new TypeError(`${script}: ${stderr}`)),
    );
  });
}

async function stop(): Promise<void> {
  const { started, left } = (await running?.interrupt()) ?? { started: [], left: [] };
  running = null;
  tell(`Ctrl-C: ${started.length} processes had run, ${left.length} are left`);
  // npm, this program, host, watcher, wrangler, workerd and the MCP server at least.
  expect(started.length).toBeGreaterThan(5);
  expect(left).toEqual([]);
}

describe("the README, followed by a script", () => {
  it(
    "leads from npm start to a call of a server that it does not name",
    { timeout: 240_000 },
    async () => {
      const [startBlock] = readmeSection("Start").blocks;
      const [config, startWithConfig, requests] = readmeSection("A server of your own").blocks;
      const on = await freePorts();

      const first = await start(on.start(startBlock?.code ?? ""));
      expect(first.lines).toContainEqual(expect.stringContaining("'Echo: Hello from Gangway'"));
      const answers = await Promise.all(
        first.curlLines().map(async (line) => JSON.parse(await shell(line))),
      );
      expect(answers).toMatchObject([
        { valid: true, files: [{ findings: [] }] },
        { success: true, tools: { length: 13 } },
        { success: true, content: [{ text: "The sum of 2 and 40 is 42." }] },
      ]);
      await stop();

      const yaml = (config?.code ?? "").replace("PACKAGE@VERSION", ownPackage);
      expect(yaml).toContain(ownPackage);
      await writeFile(join(tree.folder, "my-agent.yaml"), yaml);
      await start(on.start(startWithConfig?.code ?? ""));
      const lines = on.curl(requests?.code ?? "").split("\n");
      const [key, list, call] = lines;
      const listed = JSON.parse(await shell(`${key}\n${list}`));
      expect(listed.tools.map(({ name }: { name: string }) => name)).toContain(ownTool);
      const called = JSON.parse(await shell(`${key}\n${call?.replace("TOOL", ownTool)}`));
      expect(called).toMatchObject({ success: true, status: "ok", metadata: { server: "mine" } });
      await stop();
      const minutes = (performance.now() - startedAt) / 60_000;
      expect(minutes).toBeLessThan(5);
    },
  );
});
