import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { entryText } from "../../../functions/host/launch/npm/package-spec.ts";
import { until } from "../../support/host-processes.ts";
import { fixturePackage, type NpmRegistry, startNpmRegistry } from "../../support/npm-registry.ts";
import { callRequest, resultOf, textOf } from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";

let registry: NpmRegistry;
let host: StartedHost | undefined;
let dataDir: string;

beforeAll(async () => {
  registry = await startNpmRegistry([]);
});
afterAll(() => registry.close());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "gangway-room-test-"));
});
afterEach(async () => {
  await host?.dispose();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}): Promise<StartedHost> {
  host = await startHost({
    dataDir,
    environment: {
      GANGWAY_HOST_NPM_REGISTRY: registry.url,
      GANGWAY_HOST_STOP_GRACE_MS: "200",
      ...environment,
    },
  });
  return host;
}

/** Publishes a server whose package holds so many bytes besides. */
function publish(name: string, bytes: number): void {
  const { files, ...rest } = fixturePackage("echo", { name, version: "1.0.0" });
  registry.publish({ ...rest, files: { ...files, "ballast.txt": "x".repeat(bytes) } });
}

const call = (name: string) =>
  callRequest(null, "pid", {}, { pool_key: name, launch: { package: name, version: "1.0.0" } });
const entries = async () =>
  (await readdir(join(dataDir, "npm", "packages")).catch(() => [])).map(entryText);

/** Marks of the packages from which processes run. */
const held = async () => {
  const [instance = ""] = await readdir(join(dataDir, "instances"));
  const names = await readdir(join(dataDir, "instances", instance));
  return names.filter((name) => name.startsWith("held-"));
};

const useFile = (name: string) => join(dataDir, "npm", "uses", `${name}@1.0.0.json`);
const readUse = async (name: string) => JSON.parse(await readFile(useFile(name), "utf8"));
const usedAt = async (name: string): Promise<number> => (await readUse(name)).used_at;

/** Makes an entry one that was not used for so many minutes. */
async function age(name: string, minutes = 60): Promise<void> {
  const used_at = Date.now() - minutes * 60_000;
  await writeFile(useFile(name), JSON.stringify({ ...(await readUse(name)), used_at }));
}

const mebibyte = 1024 * 1024;

describe("the disk that packages may take", () => {
  it("is kept to by removing what was not used for longest, never what runs", async () => {
    for (const name of ["running", "idle-one", "newest"]) publish(name, mebibyte);
    // Two packages fit, three do not.
    const started = await start({ GANGWAY_HOST_MAX_PACKAGE_BYTES: String(2.5 * mebibyte) });
    const pid = textOf(await started.run(call("running")));
    const ended = Number(textOf(await started.run(call("idle-one"))));
    const startedAt = await usedAt("idle-one");
    process.kill(ended, "SIGKILL");
    await until("its end is written down", async () => {
      return (await usedAt("idle-one")) > startedAt && (await held()).length === 1;
    });
    await age("running");
    await age("idle-one");
    await started.run(call("newest"));
    await until("one has left", async () => (await entries()).length === 2);
    expect(await entries()).toEqual(["newest@1.0.0", "running@1.0.0"]);
    expect(textOf(await started.run(call("running")))).toBe(pid);
    expect(resultOf(await started.run(call("idle-one"))).session.warm).toBe(false);
  });

  it("counts uses before a restart, and holds for what was there before", async () => {
    publish("older", mebibyte);
    publish("old", mebibyte);
    const first = await start();
    await first.run(call("old"));
    await first.run(call("older"));
    await first.end();
    await age("older");
    await age("old", 30);
    await start({ GANGWAY_HOST_MAX_PACKAGE_BYTES: String(1.5 * mebibyte) });
    await until("one has left", async () => (await entries()).length === 1);
    expect(await entries()).toEqual(["old@1.0.0"]);
  });
});
