import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { entryText } from "../../../functions/host/launch/npm/package-spec.ts";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { until } from "../../support/host-processes.ts";
import { fixturePackage } from "../../support/npm-registry.ts";
import { callRequest, errorOf, resultOf, textOf } from "../../support/run-request.ts";
import { startHost } from "../../support/start-host.ts";

let host: FixtureHost;

beforeAll(async () => {
  host = await startFixtureHost({ GANGWAY_HOST_STOP_GRACE_MS: "200" }, []);
});
afterAll(() => host.dispose());

const call = (name: string, version: string | null, changes = {}) =>
  callRequest(
    null,
    "pid",
    {},
    { pool_key: `${name}@${version}`, launch: { package: name, version }, ...changes },
  );

const tarballs = (name: string) =>
  host.registry.requests.filter((path) => path.startsWith(`${name}/-/`)).length;
const entries = async () =>
  (await readdir(join(host.dataDir, "npm", "packages")).catch(() => [])).map(entryText);
const staged = async () => {
  const [instance = ""] = await readdir(join(host.dataDir, "instances"));
  return (await readdir(join(host.dataDir, "instances", instance))).filter((name) =>
    name.startsWith("npm-"),
  );
};

describe("an installation", () => {
  it("is made once for all who ask at the same time, also under different keys", async () => {
    host.registry.publish(fixturePackage("echo", { name: "shared", version: "1.0.0" }));
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        host.run(call("shared", "1.0.0", { pool_key: `key ${n}` })),
      ),
    );
    expect(new Set(runs.map(textOf)).size).toBe(8);
    expect(tarballs("shared")).toBe(1);
  });

  it("is told with npm's reason when the package is unknown, and leaves nothing", async () => {
    const error = errorOf(await host.run(call("no-such-package", "1.0.0")));
    expect(error).toMatchObject({
      code: "INSTALL_FAILED",
      executed: "no",
      details: { package: "no-such-package@1.0.0", npm_code: "E404" },
    });
    expect(error.details?.["stderr_tail"]).toContain("404");
    expect(error.details?.["stderr_tail"]).not.toContain(host.dataDir);
    expect(await entries()).not.toContain("no-such-package@1.0.0");
    await until("the staging folder is empty", async () => (await staged()).length === 0);
  });

  it("is tried again after a failure", async () => {
    expect(errorOf(await host.run(call("late", "1.0.0"))).code).toBe("INSTALL_FAILED");
    host.registry.publish(fixturePackage("echo", { name: "late", version: "1.0.0" }));
    expect(resultOf(await host.run(call("late", "1.0.0"))).session.warm).toBe(false);
  });

  it("goes on for the next caller when one runs out of time (case 16)", async () => {
    host.registry.publish(fixturePackage("echo", { name: "slow", version: "1.0.0" }));
    const release = host.registry.hold();
    const error = errorOf(await host.run(call("slow", "1.0.0", { limits: { install_ms: 300 } })));
    expect(error).toMatchObject({
      code: "INSTALL_TIMEOUT",
      executed: "no",
      details: { package: "slow" },
    });
    release();
    expect(resultOf(await host.run(call("slow", "1.0.0"))).session.warm).toBe(false);
    expect(tarballs("slow")).toBe(1);
  });

  it("runs none of the package's scripts", async () => {
    const { files, ...rest } = fixturePackage("echo", { name: "scripted", version: "1.0.0" });
    host.registry.publish({
      ...rest,
      files,
      scripts: { preinstall: "exit 1", postinstall: "exit 1" },
    });
    expect(resultOf(await host.run(call("scripted", "1.0.0"))).session.warm).toBe(false);
  });

  it("takes no dependency from anywhere but the registry", async () => {
    const { files, ...rest } = fixturePackage("echo", { name: "sideways", version: "1.0.0" });
    host.registry.publish({
      ...rest,
      files,
      dependencies: { evil: `${host.registry.url}/evil.tgz` },
    });
    expect(errorOf(await host.run(call("sideways", "1.0.0")))).toMatchObject({
      code: "INSTALL_FAILED",
    });
    expect(host.registry.requests).not.toContain("evil.tgz");
  });

  it("installs dependencies from the registry", async () => {
    host.registry.publish({ name: "dependency", version: "2.0.0", files: { "index.js": "" } });
    const { files, ...rest } = fixturePackage("echo", { name: "dependent", version: "1.0.0" });
    host.registry.publish({ ...rest, files, dependencies: { dependency: "^2.0.0" } });
    expect(resultOf(await host.run(call("dependent", "1.0.0"))).session.warm).toBe(false);
    expect(
      await readdir(join(host.dataDir, "npm", "packages", "dependent@1.0.0", "node_modules")),
    ).toContain("dependency");
  });

  it("of an exact version is never made again, of a tag not within its time to live", async () => {
    host.registry.publish(fixturePackage("echo", { name: "kept", version: "1.0.0" }));
    await host.run(call("kept", null));
    host.registry.publish(fixturePackage("echo", { name: "kept", version: "1.1.0" }));
    const asked = host.registry.requests.length;
    expect(
      errorOf(
        await host.run(
          call("kept", null, {
            pool_key: "again",
            launch: { package: "kept", version: null, bin: "nope" },
          }),
        ),
      ).message,
    ).toContain("kept");
    await host.run(call("kept", "1.0.0"));
    expect(host.registry.requests.length).toBe(asked);
    expect(await entries()).toContain("kept@1.0.0");
    expect(await entries()).not.toContain("kept@1.1.0");
  });

  it("follows a tag by its name", async () => {
    host.registry.publish(fixturePackage("echo", { name: "channels", version: "1.0.0" }));
    host.registry.publish(
      fixturePackage("echo", { name: "channels", version: "2.0.0-beta.1" }),
      "next",
    );
    await host.run(call("channels", "next"));
    expect(await entries()).toContain("channels@2.0.0-beta.1");
  });
});

describe("a host that is started again on the same data", () => {
  it("needs no registry for what is installed", async () => {
    host.registry.publish(fixturePackage("echo", { name: "durable", version: "1.0.0" }));
    const environment = { GANGWAY_HOST_NPM_REGISTRY: host.registry.url };
    const dataDir = host.dataDir;
    await host.run(call("durable", null));
    const asked = host.registry.requests.length;
    const second = await startHost({ dataDir, environment });
    expect(resultOf(await second.run(call("durable", null))).session.warm).toBe(false);
    expect(host.registry.requests.length).toBe(asked);
    await second.dispose();
  });

  it("falls back to the version that a tag last meant when the registry is down", async () => {
    host.registry.publish(fixturePackage("echo", { name: "fallback", version: "1.0.0" }));
    const dataDir = host.dataDir;
    await host.run(call("fallback", null));
    const environment = {
      GANGWAY_HOST_NPM_REGISTRY: "http://127.0.0.1:9",
      GANGWAY_HOST_TAG_TTL_S: "0",
    };
    const second = await startHost({ dataDir, environment });
    expect(resultOf(await second.run(call("fallback", null))).session.warm).toBe(false);
    expect(errorOf(await second.run(call("never-seen", null)))).toMatchObject({
      code: "INSTALL_FAILED",
    });
    await second.dispose();
  });
});
