import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startChild } from "../../../../infra/start/child.ts";
import { requireFreePort } from "../../../../infra/start/free-port.ts";
import { waitUntilReady } from "../../../../infra/start/wait-until-ready.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-child-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(program: string, env: Record<string, string> = {}) {
  const file = join(folder, "program.mjs");
  await writeFile(file, program);
  return startChild({
    name: "program",
    args: [file],
    cwd: folder,
    env,
    logFile: join(folder, "log"),
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // No such process.
  }
}

describe("a child", () => {
  it("writes into a log that only its owner can read", async () => {
    const child = await run("console.log('x')");
    await child.ended;
    expect(await readFile(join(folder, "log"), "utf8")).toBe("x\n");
    expect((await stat(join(folder, "log"))).mode & 0o777).toBe(0o600);
  });

  it("gets the given environment and nothing of ours", async () => {
    const child = await run("console.log(JSON.stringify(process.env))", { ONLY: "this" });
    await child.ended;
    expect(JSON.parse(child.logTail())).toEqual({ ONLY: "this" });
  });

  it("tells how it ended", async () => {
    const child = await run("process.exit(3)");
    expect(await child.ended).toBe("The program ended with exit code 3.");
  });

  it("is stopped with all that it started", async () => {
    const child = await run(`
      import { spawn } from "node:child_process";
      const grandchild = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
      console.log(grandchild.pid);
      setInterval(() => {}, 1000);
    `);
    const pid = await vi.waitUntil(() => Number(child.logTail()), { timeout: 5000 });
    expect(isAlive(pid)).toBe(true);
    await child.stop();
    await vi.waitUntil(() => !isAlive(pid), { timeout: 5000 });
    expect(await child.ended).toBe("The program ended with SIGTERM.");
  });

  it("may be stopped twice, and after its end", async () => {
    const child = await run("setInterval(() => {}, 1000)");
    await Promise.all([child.stop(), child.stop()]);
    await child.stop();
    expect(await child.ended).toBe("The program ended with SIGTERM.");
  });
});

describe("waiting until a child is ready", () => {
  it("ends at once with the log when the child ends", async () => {
    const child = await run("console.error('no such setting'); process.exit(2)");
    const waiting = waitUntilReady(child, "http://127.0.0.1:9", 60_000);
    await expect(waiting).rejects.toThrow(/exit code 2[^]*no such setting/);
  });

  it("gives up after its deadline, with the last answer", async () => {
    const server = createServer((_request, response) => response.writeHead(503).end("NOT_READY"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const child = await run("setInterval(() => {}, 1000)");
    const waiting = waitUntilReady(child, `http://127.0.0.1:${port}`, 300);
    await expect(waiting).rejects.toThrow("it answered 503 NOT_READY");
    await expect(requireFreePort(Number(port), "--port")).rejects.toThrow(
      `Port ${port} is taken: stop what listens there, or choose another with \`npm start -- --port PORT\`.`,
    );
    await child.stop();
    server.close();
  });
});
