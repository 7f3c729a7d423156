import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pathsIn } from "../../support/cycles/traces.ts";
import { until } from "../../support/host-processes.ts";
import {
  fixturePackage,
  type NpmRegistry,
  startNpmRegistry,
  stdioFixtures,
} from "../../support/npm-registry.ts";
import { callRequest, errorOf, runRequest, textOf } from "../../support/run-request.ts";
import { startHost } from "../../support/start-host.ts";

describe.skipIf(process.getuid?.() !== 0)("a disk that is full", () => {
  let registry: NpmRegistry;
  const folder = mkdtempSync(join(tmpdir(), "gangway-small-disk-"));
  beforeAll(async () => {
    registry = await startNpmRegistry([stdioFixtures()]);
    execFileSync("mount", [
      "-t",
      "tmpfs",
      "-o",
      "size=12m,nr_inodes=2000,mode=0700",
      "tmpfs",
      folder,
    ]);
  });
  afterAll(async () => {
    await registry.close();
    execFileSync("umount", [folder]);
    rmdirSync(folder);
  });

  it("fails the installation with its reason, leaves no half entry, and is free for the next", async () => {
    const echo = fixturePackage("echo", { name: "large", version: "1.0.0" });
    const files = { ...echo.files, "large.txt": randomBytes(10 * 1024 * 1024).toString("base64") };
    registry.publish({ ...echo, files });
    const host = await startHost({
      environment: { GANGWAY_HOST_NPM_REGISTRY: registry.url },
      dataDir: folder,
    });
    const error = errorOf(await host.run(runRequest(null, { launch: { package: "large" } })));
    expect(error).toMatchObject({
      code: "INSTALL_FAILED",
      executed: "no",
      details: { reason: "disk-full" },
    });
    expect(error.hint).toContain("make room");
    expect(pathsIn(join(folder, "npm")).filter((path) => path.includes("large@"))).toEqual([]);
    await until("nothing is left of it", () => pathsIn(join(folder, "instances")).length <= 1);
    await until("no download is", () => pathsIn(join(folder, "npm", "cache")).length === 0);
    expect(textOf(await host.run(callRequest("echo", "echo", { n: 1 })))).toBe('{"n":1}');
    await host.dispose();
  });

  it("fails the start of a process with its reason, leaves no folder, and is free for the next", async () => {
    const host = await startHost({
      environment: { GANGWAY_HOST_NPM_REGISTRY: registry.url },
      dataDir: folder,
    });
    expect(textOf(await host.run(callRequest("echo", "echo", { n: 1 })))).toBe('{"n":1}');
    const other = callRequest("echo", "echo", { n: 2 }, { pool_key: "other" });
    const before = pathsIn(join(folder, "instances"));
    // Room for the first folders of a process, and not for all of them.
    const filler = fill(join(folder, "filler"), 2);
    const error = errorOf(await host.run(other));
    expect(error).toMatchObject({
      code: "PROCESS_START_FAILED",
      executed: "no",
      details: { reason: "disk-full" },
    });
    expect(error.hint).toContain("make room");
    expect(pathsIn(join(folder, "instances"))).toEqual(before);
    rmSync(filler, { recursive: true });
    expect(textOf(await host.run({ ...other, request_id: "again" }))).toBe('{"n":2}');
    await host.dispose();
  });
});

/** Takes every place for a file but so many; answers the folder that takes them. */
function fill(path: string, left: number): string {
  mkdirSync(path);
  for (let count = 0; ; count += 1) {
    try {
      writeFileSync(join(path, String(count)), "");
    } catch {
      for (let freed = 1; freed <= left; freed += 1) rmSync(join(path, String(count - freed)));
      return path;
    }
  }
}
