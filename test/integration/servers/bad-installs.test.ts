import { readdirSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { processesOf, until } from "../../support/host-processes.ts";
import {
  fixturePackage,
  type NpmRegistry,
  startNpmRegistry,
  stdioFixtures,
} from "../../support/npm-registry.ts";
import {
  callRequest,
  errorOf,
  type RunChanges,
  runRequest,
  textOf,
} from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";

let registry: NpmRegistry;

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
});
afterAll(() => registry.close());

const startOn = (url: string) => startHost({ environment: { GANGWAY_HOST_NPM_REGISTRY: url } });
const install = (name: string, changes: RunChanges = {}) =>
  runRequest(null, { pool_key: name, ...changes, launch: { package: name } });
const stagedBy = (host: StartedHost) =>
  readdirSync(join(host.dataDir, "instances")).flatMap((instance) =>
    readdirSync(join(host.dataDir, "instances", instance)),
  );

describe("a registry", () => {
  it("that is down fails the installation of what is not there", async () => {
    const away = await startNpmRegistry([stdioFixtures()]);
    const host = await startOn(away.url);
    await away.close();
    const error = errorOf(await host.run(callRequest("echo", "echo", { n: 1 })));
    expect(error).toMatchObject({
      code: "INSTALL_FAILED",
      executed: "no",
      details: { npm_code: "ECONNREFUSED" },
    });
    await until("nothing is left of it", () => stagedBy(host).length === 0);
    await host.dispose();
  });

  it("that never answers costs no more than the caller's own limit, and npm ends with the host", async () => {
    const silent = await listen(createServer());
    const { port } = silent.address() as AddressInfo;
    const host = await startOn(`http://127.0.0.1:${port}`);
    const limits = { install_ms: 1_000 };
    const error = errorOf(await host.run(install("any", { limits })));
    expect(error).toMatchObject({ code: "INSTALL_TIMEOUT", executed: "no" });
    expect(await host.end("SIGTERM")).toBe(0);
    expect(processesOf(host.dataDir, host.pid)).toEqual([]);
    silent.close();
    await host.dispose();
  });
});

describe("a package", () => {
  let host: StartedHost;
  beforeAll(async () => {
    host = await startOn(registry.url);
  });
  afterAll(() => host.dispose());

  it("whose program is not among its files is told as broken, and nothing runs", async () => {
    registry.publish({ name: "no-file", version: "1.0.0", bin: "gone.mjs", files: {} });
    expect(errorOf(await host.run(install("no-file")))).toMatchObject({
      code: "PROCESS_START_FAILED",
      executed: "no",
      details: { path: "gone.mjs" },
    });
  });

  it("that declares no program is told as such", async () => {
    registry.publish({ name: "no-bin", version: "1.0.0", files: { "index.js": "" } });
    const error = errorOf(await host.run(install("no-bin")));
    expect(error).toMatchObject({ executed: "no" });
    expect(error.message).toContain("no-bin");
  });

  it("of a scope may import its own modules by their paths", async () => {
    const { files } = fixturePackage("echo", { name: "any", version: "1.0.0" });
    const main = `
      const { serve, text } = await import(import.meta.dirname + "/rpc.mjs");
      serve({ tools: { found: () => text("by its path") } });`;
    const name = "@scope/by-path";
    registry.publish({
      name,
      version: "1.0.0",
      bin: "main.mjs",
      files: { ...files, "main.mjs": main },
    });
    const call = callRequest(null, "found", {}, { launch: { package: name } });
    expect(textOf(await host.run(call))).toBe("by its path");
  });

  it("whose engines leave out this Node starts all the same, as it does by npx", async () => {
    const echo = fixturePackage("echo", { name: "for-later", version: "1.0.0" });
    registry.publish({ ...echo, engines: { node: ">=99" } });
    const launch = { package: "for-later" };
    expect(textOf(await host.run(callRequest(null, "echo", { n: 1 }, { launch })))).toBe('{"n":1}');
  });
});

async function listen(server: Server): Promise<Server> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
