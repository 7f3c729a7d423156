import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../support/everything-http.ts";
import { until } from "../support/host-processes.ts";
import { descendants, survivors } from "../support/process-tree.ts";
import { root } from "../support/source-files.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-start-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** The start program itself, with a state folder of its own. */
function start(args: readonly string[], environment: Record<string, string> = {}) {
  const child = spawn(
    process.execPath,
    ["infra/start.ts", `--state=${join(folder, "state")}`, ...args],
    {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const out: string[] = [];
  const err: string[] = [];
  child.stdout.on("data", (chunk) => out.push(String(chunk)));
  child.stderr.on("data", (chunk) => err.push(String(chunk)));
  const ended = once(child, "close").then(([code]) => ({
    code: Number(code),
    stderr: err.join(""),
  }));
  return { pid: Number(child.pid), ended, output: () => out.join("") };
}

async function ports(): Promise<string[]> {
  return [`--port=${await freePort()}`, `--host-port=${await freePort()}`];
}

describe("npm start", () => {
  it("tells its options", async () => {
    const { ended, output } = start(["--help"]);
    expect(await ended).toEqual({ code: 0, stderr: "" });
    for (const option of ["--port", "--host-port", "--deployment", "--config", "--state"]) {
      expect(output()).toContain(option);
    }
  });

  it("names a taken port and the remedy in one line", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const { ended } = start([`--port=${port}`]);
    expect(await ended).toEqual({
      code: 1,
      stderr: `Port ${port} is taken: stop what listens there, or choose another with \`npm start -- --port PORT\`.\n`,
    });
    server.close();
  });

  it("shows every finding of a config that cannot be used, with its place", async () => {
    const file = join(folder, "agent.yaml");
    await writeFile(file, "tools:\n  - name: a\n   type: mcp\n");
    const { code, stderr } = await start(["--config", file]).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/agent\.yaml cannot be used:\n.*agent\.yaml:\d+:\d+ error /);
  });

  it("tells in one line that the registry cannot be reached, and leaves nothing running", async () => {
    const { pid, ended, output } = start(await ports(), {
      npm_config_registry: "http://127.0.0.1:1/",
    });
    await until("the parts were started", () => descendants(pid).length > 3, 60_000);
    const started = descendants(pid);
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The self-check could not install .* the npm registry cannot be reached .*\n$/,
    );
    expect(output()).not.toContain("Ready:");
    expect(survivors(started)).toEqual([]);
    expect(existsSync(join(folder, "state/logs"))).toBe(true);
  });

  it("leaves nothing running and no secret behind when it is killed itself", async () => {
    const { pid, ended } = start(await ports());
    await until("the parts were started", () => descendants(pid).length > 4, 60_000);
    const started = descendants(pid);
    process.kill(pid, "SIGKILL");
    await ended;
    await until("all of it has ended", () => survivors(started).length === 0, 30_000);
    const runFolders = () =>
      readdirSync(join(folder, "state")).filter((name) => name.startsWith("run-"));
    await expect.poll(runFolders, { timeout: 10_000 }).toEqual([]);
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("ends when npm gets %s", async (signal) => {
    const args = ["start", "--", `--state=${join(folder, "state")}`, ...(await ports())];
    const npm = spawn("npm", args, { cwd: root, stdio: "ignore" });
    const pid = Number(npm.pid);
    let started = descendants(pid);
    // Some end by themselves: what tells and kills is one look.
    const begun = () => (started = descendants(pid)).length > 6;
    await until("the parts were started", begun, 60_000);
    npm.kill(signal);
    await until("all of it has ended", () => survivors(started).length === 0, 30_000);
    expect(started.length).toBeGreaterThan(6);
  });

  it(
    "stops as a whole and says why when one part dies; the run's secrets go",
    { timeout: 150_000 },
    async () => {
      const { pid, ended, output } = start(await ports());
      const early = ended.then(({ stderr }) =>
        Promise.reject(new TypeError(`it ended: ${stderr}`)),
      );
      const ready = until("it is ready", () => output().includes("Call a tool"), 110_000);
      await Promise.race([early, ready]);
      early.catch(() => undefined); // Its end is what this test is about from here on.
      const started = descendants(pid);
      const host = started.find(({ command }) => command.includes("functions/host/main.ts"));
      process.kill(Number(host?.pid), "SIGKILL");
      const { code, stderr } = await ended;
      expect(code).toBe(1);
      expect(stderr).toContain("The host ended with SIGKILL. Its last lines:");
      await until("all of it has ended", () => survivors(started).length === 0, 20_000);
      expect(readdirSync(join(folder, "state")).filter((name) => name.startsWith("run-"))).toEqual(
        [],
      );
    },
  );
});
