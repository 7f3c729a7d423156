import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmdirSync } from "node:fs";
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
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=12m,mode=0700", "tmpfs", folder]);
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
});
