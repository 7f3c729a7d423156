import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { until } from "../../support/host-processes.ts";

import { callRequest, errorOf, textOf } from "../../support/run-request.ts";

let host: FixtureHost;
let folder: string;
/** The server fails while this file is not there. */
let file: string;

beforeAll(async () => {
  host = await startFixtureHost({ GANGWAY_HOST_STOP_GRACE_MS: "200" });
  folder = await mkdtemp(join(tmpdir(), "gangway-crash-loop-"));
  await chmod(folder, 0o777); // A launch may have a user of its own.
});
afterAll(async () => {
  await host.dispose();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  file = await mkdtemp(join(folder, "server-"));
  await chmod(file, 0o777);
  file = join(file, "settings");
});

const call = (tool: string, changes = {}, of = {}) =>
  host.run(
    callRequest(
      "crash-until",
      tool,
      {},
      { pool_key: file, launch: { args: [file], ...changes }, ...of },
    ),
  );
const starts = async () =>
  (await readdir(dirname(file))).filter((name) => name.includes(".start-")).length;

describe("a server that fails at every start", () => {
  it("is not started again for a while, and calls fail at once with the last reason and when to come back", async () => {
    for (let count = 1; count <= 3; count += 1) {
      const error = errorOf(await call("pid"));
      expect(error).toMatchObject({ code: "PROCESS_START_FAILED", details: { exit_code: 5 } });
      expect(error.retry_after_s).toBeUndefined();
    }
    const refused = errorOf(await call("pid"));
    expect(refused).toMatchObject({
      code: "PROCESS_START_FAILED",
      executed: "no",
      retry_after_s: 1,
      details: {
        exit_code: 5,
        stderr_tail: "the settings are not there yet",
        failures_in_a_row: 3,
      },
    });
    expect(refused.message).toContain("failed 3 times in a row");
    expect(await starts()).toBe(3);
  });

  it("is tried once more afterwards, and serves again when it works", async () => {
    for (let count = 1; count <= 3; count += 1) await call("pid");
    await writeFile(file, "");
    let refusals = 0;
    await until("it is tried again", async () => {
      const last = (await call("pid")).at(-1);
      refusals += last?.event === "error" ? 1 : 0;
      return last?.event === "result";
    });
    expect(refusals).toBeGreaterThan(0);
    expect(await starts()).toBe(4);
  });

  it("is not started for one new session after the other either", async () => {
    const begin = () =>
      call("pid", {}, { session: { id: randomUUID(), start: true, idle_ms: 60_000 } });
    for (let count = 1; count <= 3; count += 1) await begin();
    expect(errorOf(await begin())).toMatchObject({
      code: "PROCESS_START_FAILED",
      details: { failures_in_a_row: 3 },
    });
    expect(await starts()).toBe(3);
  });

  it("takes no other server along, another launch of the same package included", async () => {
    for (let count = 1; count <= 4; count += 1) await call("pid");
    await writeFile(`${file}-good`, "");
    expect(Number(textOf(await call("pid", { args: [`${file}-good`] })))).toBeGreaterThan(0);
  });
});

describe("a server that crashes in every call", () => {
  it("is not started again for a while, and the error tells how it ended", async () => {
    await writeFile(file, "");
    for (let count = 1; count <= 3; count += 1)
      expect(errorOf(await call("crash")).code).toBe("PROCESS_EXITED");
    expect(errorOf(await call("crash"))).toMatchObject({
      code: "PROCESS_START_FAILED",
      executed: "no",
      details: { exit_code: 6, stderr_tail: "fell in a call", last_code: "PROCESS_EXITED" },
    });
    expect(await starts()).toBe(3);
  });

  it("starts with every call as long as other calls work", async () => {
    await writeFile(file, "");
    for (let count = 1; count <= 4; count += 1) {
      expect(errorOf(await call("crash")).code).toBe("PROCESS_EXITED");
      expect(Number(textOf(await call("pid")))).toBeGreaterThan(0);
    }
  });
});

describe("a process that several owners share", () => {
  it("is started for the others when one of them crashes it again and again", async () => {
    await writeFile(file, "");
    for (let count = 1; count <= 3; count += 1)
      expect(errorOf(await call("crash", {}, { owner: "a" })).code).toBe("PROCESS_EXITED");
    expect(errorOf(await call("pid", {}, { owner: "a" }))).toMatchObject({
      code: "PROCESS_START_FAILED",
      details: { stderr_tail: "fell in a call" },
    });
    expect(Number(textOf(await call("pid", {}, { owner: "b" })))).toBeGreaterThan(0);
  });

  it("tells its stderr to nobody, and to the one owner where there is no other", async () => {
    await writeFile(file, "");
    const pid = textOf(await call("pid", {}, { owner: "a" }));
    expect(textOf(await call("pid", {}, { owner: "b" }))).toBe(pid);
    const shared = errorOf(await call("crash", {}, { owner: "b" }));
    expect(shared).toMatchObject({ code: "PROCESS_EXITED", details: { exit_code: 6 } });
    expect(shared.details).not.toHaveProperty("stderr_tail");
    expect(shared.hint).not.toContain("stderr_tail");
    expect(errorOf(await call("crash", {}, { owner: "b" }))).toMatchObject({
      details: { stderr_tail: "fell in a call" },
    });
  });
});
