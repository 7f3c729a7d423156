import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { fixturePackage, type PublishedPackage } from "../../support/npm-registry.ts";
import { callRequest, errorOf, resultOf, textOf } from "../../support/run-request.ts";

import type { Launch } from "../../../shared/run-contract/contract.ts";

const dayMs = 24 * 60 * 60 * 1000;
let host: FixtureHost;

beforeAll(async () => {
  host = await startFixtureHost({ GANGWAY_HOST_STOP_GRACE_MS: "200" }, []);
});
afterAll(() => host.dispose());

const call = (name: string, version: string | null, install?: Launch["install"]) =>
  host.run(
    callRequest(
      null,
      "pid",
      {},
      {
        pool_key: `${name}@${version}`,
        launch: { package: name, version, ...(install === undefined ? {} : { install }) },
      },
    ),
  );
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);
const week = { min_release_age_ms: 7 * dayMs };

function publish(name: string, version: string, changes: Partial<PublishedPackage> = {}): void {
  host.registry.publish({ ...fixturePackage("echo", { name, version }), ...changes });
}

/** Its program starts only when its `postinstall` script has run. */
function publishBuilt(name: string, changes: Partial<PublishedPackage> = {}): void {
  const { files } = fixturePackage("echo", { name, version: "1.0.0" });
  host.registry.publish({
    name,
    version: "1.0.0",
    bin: { [name]: "start.mjs" },
    scripts: { postinstall: "node build.mjs" },
    files: {
      ...files,
      "build.mjs": 'import { writeFileSync } from "node:fs"; writeFileSync("built.mjs", "");',
      "start.mjs": 'await import("./built.mjs"); await import("./echo.mjs");',
    },
    ...changes,
  });
}

describe("a policy that asks for versions of a week", () => {
  it("refuses an exact version that is younger, and says by what rule", async () => {
    publish("young", "1.0.0", { publishedAt: daysAgo(8) });
    publish("young", "1.1.0", { publishedAt: daysAgo(1) });
    const error = errorOf(await call("young", "1.1.0", week));
    expect(error).toMatchObject({
      code: "LAUNCH_NOT_ALLOWED",
      executed: "no",
      details: { reason: "release-too-young", min_release_age_days: 7, npm_code: "ETARGET" },
    });
    expect(error.message).toContain("young@1.1.0");
    expect(error.hint).toContain("min_release_age_days");
    expect(resultOf(await call("young", "1.0.0", week)).session.warm).toBe(false);
  });

  it("takes a tag for the newest version that is old enough", async () => {
    publish("moving", "1.0.0", { publishedAt: daysAgo(30) });
    publish("moving", "1.1.0", { publishedAt: daysAgo(8) });
    publish("moving", "1.2.0", { publishedAt: daysAgo(1) });
    await call("moving", null, week);
    const installed = host.log.filter(({ msg }) => msg === "package installed");
    expect(installed.at(-1)).toMatchObject({ package: "moving@latest", version: "1.1.0" });
  });

  it("holds for dependencies as well", async () => {
    host.registry.publish({
      name: "fresh-dependency",
      version: "2.0.0",
      files: { "index.js": "" },
      publishedAt: daysAgo(1),
    });
    publish("stale", "1.0.0", {
      publishedAt: daysAgo(30),
      dependencies: { "fresh-dependency": "^2.0.0" },
    });
    expect(errorOf(await call("stale", "1.0.0", week)).code).toBe("LAUNCH_NOT_ALLOWED");
  });

  it("does not use what was installed without it", async () => {
    publish("before", "1.0.0", { publishedAt: daysAgo(1) });
    expect(resultOf(await call("before", "1.0.0")).session.warm).toBe(false);
    expect(errorOf(await call("before", "1.0.0", week)).code).toBe("LAUNCH_NOT_ALLOWED");
  });

  it("leaves a package that is not there what it is", async () => {
    expect(errorOf(await call("nowhere", "1.0.0", week)).code).toBe("INSTALL_FAILED");
  });
});

describe("a server that needs the scripts of its installation", () => {
  it("fails with the names of what was not run and the switch, while they are off", async () => {
    publishBuilt("needs-scripts");
    const error = errorOf(await call("needs-scripts", "1.0.0"));
    expect(error).toMatchObject({
      code: "PROCESS_START_FAILED",
      details: { skipped_scripts: ["needs-scripts"] },
    });
    expect(error.hint).toContain("needs-scripts");
    expect(error.hint).toContain("allow_scripts: true");
  });

  it("starts where they are allowed, though it was installed without them before", async () => {
    publishBuilt("allowed");
    await call("allowed", "1.0.0");
    const events = await call("allowed", "1.0.0", { allow_scripts: true });
    expect(Number(textOf(events))).toBeGreaterThan(0);
  });

  it("is told of a dependency's scripts too, and of native code", async () => {
    publishBuilt("native", {
      name: "native",
      dependencies: { addon: "1.0.0" },
      scripts: {},
    });
    host.registry.publish({
      name: "addon",
      version: "1.0.0",
      scripts: { install: "node-gyp rebuild" },
      files: { "binding.gyp": "{}", "index.js": "" },
    });
    expect(errorOf(await call("native", "1.0.0")).details?.["skipped_scripts"]).toEqual(["addon"]);
  });

  it("is told of none when none was left out", async () => {
    host.registry.publish({
      ...fixturePackage("crash-at-start", { name: "plainly-broken", version: "1.0.0" }),
    });
    const error = errorOf(await call("plainly-broken", "1.0.0"));
    expect(error.code).toBe("PROCESS_START_FAILED");
    expect(error.hint).not.toContain("allow_scripts");
  });

  it("fails by the script's own failure where they are allowed", async () => {
    publishBuilt("failing", { scripts: { postinstall: "exit 3" } });
    expect(errorOf(await call("failing", "1.0.0", { allow_scripts: true }))).toMatchObject({
      code: "INSTALL_FAILED",
      executed: "no",
    });
  });

  it("is not taken with pipes in place of its files, and nothing waits for them", async () => {
    const scripts = { postinstall: "rm package.json && mkfifo package.json" };
    // As many as the host has threads for files.
    const names = ["pipe-a", "pipe-b", "pipe-c", "pipe-d"];
    for (const name of names) publishBuilt(name, { scripts });
    const calls = names.map((name) => call(name, "1.0.0", { allow_scripts: true }));
    for (const events of await Promise.all(calls)) {
      expect(errorOf(events)).toMatchObject({ code: "INSTALL_FAILED", executed: "no" });
    }
    publishBuilt("after-pipes");
    const events = await call("after-pipes", "1.0.0", { allow_scripts: true });
    expect(Number(textOf(events))).toBeGreaterThan(0);
  });
});
