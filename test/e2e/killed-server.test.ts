import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../support/gangway.ts";
import { processesOf, until } from "../support/host-processes.ts";
import { promptMs } from "../support/promptness.ts";

let gangway: Gangway;

beforeAll(async () => {
  gangway = await startGangway({
    servers: [
      {
        name: "everything",
        type: "mcp",
        command: "npx",
        args: ["-y", "@modelcontextprotocol/server-everything@2026.8.31"],
      },
    ],
  });
});

afterAll(() => gangway.close());

function serverPids(): number[] {
  const { dataDir, pid } = gangway.host;
  return processesOf(dataDir, pid).filter((one) => commandLine(one).includes("server-everything"));
}

function commandLine(pid: number): string {
  return readProc(pid, "cmdline");
}

/** What the process has read so far, its stdin included. */
function bytesRead(pid: number): number {
  return Number(/^rchar: (\d+)$/m.exec(readProc(pid, "io"))?.[1]);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return ""; // It has ended meanwhile.
  }
}

const call = (tool: string, args: object) =>
  gangway.post("/v1/tools/call", { server: "everything", tool, arguments: args });

describe("a server that is killed with SIGKILL in the middle of a call", () => {
  it("fails the call at once, naming the exit; the next call works (case 15)", async () => {
    await call("echo", { message: "warm" });
    const [pid] = serverPids();
    const before = bytesRead(Number(pid));
    const running = call("trigger-long-running-operation", { duration: 30, steps: 3 });
    await until("the call has reached the server", () => bytesRead(Number(pid)) > before);
    const killedAt = performance.now();
    process.kill(Number(pid), "SIGKILL");
    const { status, body } = await running;
    expect(performance.now() - killedAt).toBeLessThan(promptMs);
    expect(status).toBe(502);
    expect(body["error"]).toMatchObject({
      type: "MCPConnectionError",
      code: "PROCESS_EXITED",
      executed: "maybe",
      retryable: false,
      server: "everything",
      details: { signal: "SIGKILL" },
    });
    expect((await call("echo", { message: "again" })).body).toMatchObject({
      success: true,
      content: [{ text: "Echo: again" }],
    });
    expect(serverPids()).not.toContain(pid);
    expect(serverPids()).toHaveLength(1);
  });
});
