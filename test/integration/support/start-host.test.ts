import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { isRunning, until } from "../../support/host-processes.ts";

const support = JSON.stringify(new URL("../../support/start-host.ts", import.meta.url).href);
/** What a test does that fails before it disposes of its host. */
const leak = `const { startHost } = await import(${support});
const { pid, dataDir } = await startHost();
process.send({ pid, dataDir });
process.once("message", () => process.exit(1));`;

describe("a host that a test has not disposed of", () => {
  it.each(["SIGTERM", "exit"] as const)(
    "goes with the worker of the test, whose output ends: %s",
    async (how) => {
      const args = ["--input-type=module", "--eval", leak];
      const worker = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit", "ipc"] });
      const output = worker.stdout === null ? null : text(worker.stdout);
      const [{ pid, dataDir }] = (await once(worker, "message")) as [
        { readonly pid: number; readonly dataDir: string },
      ];
      expect(isRunning(pid)).toBe(true);
      if (how === "exit") worker.send("exit");
      else worker.kill(how);
      expect(await output).toBe("");
      await until("the host is gone", () => !isRunning(pid));
      await until("its data is", () => !existsSync(dataDir));
    },
  );
});
