import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fixturePackage, type NpmRegistry, startNpmRegistry } from "../../support/npm-registry.ts";
import { callRequest, errorOf, resultOf, textOf } from "../../support/run-request.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { startHost } from "../../support/start-host.ts";

const run = promisify(execFile);
const program = new URL("../../../functions/host/prewarm.ts", import.meta.url).pathname;
/** A registry that nobody answers for. */
const nowhere = "http://127.0.0.1:9";
let registry: NpmRegistry;
let folder: string;
let seed: string;

beforeAll(async () => {
  registry = await startNpmRegistry([]);
  folder = await mkdtemp(join(tmpdir(), "gangway-prewarm-"));
  await chmod(folder, 0o755); // Servers run as users of their own.
  seed = join(folder, "seed");
  for (const name of ["exact", "moving", "listed"]) publish(name);
  const file = join(folder, "gangway.yaml");
  await writeFile(file, 'version: "1.0"\nprewarm: ["npm:listed@1.0.0"]\n');
  for (const args of [
    ["--deployment", file, "npm:exact@1.0.0", "npm:moving"],
    ["--allow-scripts", "npm:exact@1.0.0"],
  ]) {
    const { code, stderr } = await prewarm(args);
    if (code !== 0) throw new TypeError(`the seed could not be made: ${stderr}`);
  }
}, 180_000);
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command; answers its exit code and what it wrote. */
async function prewarm(args: readonly string[], into: string | null = seed) {
  const env = {
    PATH: process.env["PATH"] ?? "",
    GANGWAY_HOST_NPM_REGISTRY: registry.url,
    ...(into === null ? {} : { GANGWAY_HOST_SEED_DIR: into }),
  };
  try {
    return { code: 0, ...(await run(process.execPath, [program, ...args], { env })) };
  } catch (error) {
    const { code, stderr, stdout } = error as { code: number; stderr: string; stdout: string };
    return { code, stderr, stdout };
  }
}

const publish = (name: string, version = "1.0.0") =>
  registry.publish(fixturePackage("echo", { name, version }));
const call = (name: string, version: string | null) =>
  callRequest(null, "pid", {}, { pool_key: name, launch: { package: name, version } });

describe("a host with a seed", { timeout: 90_000 }, () => {
  it("starts what is in it at once, from an empty disk, without a registry", async () => {
    expect((await readdir(seed)).toSorted()).toEqual(["npm"]);
    expect((await readdir(join(seed, "npm"))).toSorted()).toEqual(["packages", "tags"]);
    const host = await startHost({
      environment: { GANGWAY_HOST_NPM_REGISTRY: nowhere, GANGWAY_HOST_SEED_DIR: seed },
    });
    for (const request of [call("exact", "1.0.0"), call("moving", null), call("listed", "1.0.0")])
      expect(Number(textOf(await host.run(request)))).toBeGreaterThan(0);
    expect(await readdir(join(host.dataDir, "npm", "packages")).catch(() => [])).toEqual([]);
    expect(errorOf(await host.run(call("elsewhere", "1.0.0"))).code).toBe("INSTALL_FAILED");
    const { launch, ...rest } = call("exact", "1.0.0");
    const within = (install: Launch["install"]) =>
      host.run({ ...rest, launch: { ...launch, ...(install === undefined ? {} : { install }) } });
    expect(resultOf(await within({ allow_scripts: true })).session.warm).toBe(false);
    expect(errorOf(await within({ min_release_age_ms: 1000 })).code).toBe("INSTALL_FAILED");
    await host.dispose();
  });

  it("asks for a tag anew once it is out of date, and keeps to the seed when that fails", async () => {
    publish("moving", "1.1.0");
    const environment = { GANGWAY_HOST_SEED_DIR: seed, GANGWAY_HOST_TAG_TTL_S: "0" };
    const online = await startHost({
      environment: { ...environment, GANGWAY_HOST_NPM_REGISTRY: registry.url },
    });
    expect(resultOf(await online.run(call("moving", null))).session.warm).toBe(false);
    expect(await readdir(join(online.dataDir, "npm", "packages"))).toEqual(["moving@1.1.0"]);
    await online.dispose();
    const offline = await startHost({
      environment: { ...environment, GANGWAY_HOST_NPM_REGISTRY: nowhere },
    });
    expect(resultOf(await offline.run(call("moving", null))).session.warm).toBe(false);
    await offline.dispose();
  });

  it("has no file in it that others than its maker may write, and none that they may not read", async () => {
    const paths = await readdir(seed, { recursive: true });
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      const { mode } = await stat(join(seed, path));
      expect([path, mode & 0o022, mode & 0o044]).toEqual([path, 0, 0o044]);
    }
  });
});

describe("the command", () => {
  it.each<[string, readonly string[], number, RegExp]>([
    ["no package", [], 2, /No package is named/],
    ["a package of no registry", ["exact"], 2, /npm:NAME@VERSION/],
    ["an unknown option", ["--fast", "npm:exact"], 2, /--fast/],
    ["days that are no number", ["--min-release-age-days", "x", "npm:exact"], 2, /days/],
    ["a file that is wrong", ["--deployment", "FILE"], 2, /names no registry/],
    ["a file that is not there", ["--print", "--deployment", "/no/such.yaml"], 2, /ENOENT/],
    ["a package that is not there", ["npm:no-such@1.0.0"], 1, /E404/],
  ])("tells %s, without a stack", async (_what, args, code, told) => {
    const file = join(folder, "FILE");
    await writeFile(file, 'version: "1.0"\nprewarm: ["docker:image"]\n');
    const named = args.map((arg) => (arg === "FILE" ? file : arg));
    const ended = await prewarm(named, join(folder, "here"));
    expect(ended.code).toBe(code);
    expect(ended.stderr).toMatch(told);
    expect(ended.stderr).not.toMatch(/\n\s+at /);
  });

  it("prints the packages of a deployment file, as the image's build takes them", async () => {
    const file = join(folder, "print.yaml");
    const print = ["--print", "--deployment", file];
    const specs = ["npm:listed@1.0.0", "npm:@scope/moving", "pypi:served[cli]==1.0"];
    await writeFile(file, `version: "1.0"\nprewarm: ${JSON.stringify(specs)}\n`);
    expect(await prewarm(print, null)).toEqual({
      code: 0,
      stdout: `${specs.join(" ")}\n`,
      stderr: "",
    });
    const more = await prewarm([...print, "npm:exact@1.0.0"], null);
    expect(more.stdout).toBe(`${specs.join(" ")} npm:exact@1.0.0\n`);
    await writeFile(file, 'version: "1.0"\n');
    expect(await prewarm(print, null)).toEqual({ code: 0, stdout: "\n", stderr: "" });
    await writeFile(file, 'version: "1.0"\nprewarm: ["npm:a; touch /b"]\n');
    expect(await prewarm(print, null)).toMatchObject({ code: 2, stdout: "" });
  });

  it("needs a folder to install into", async () => {
    const ended = await prewarm(["npm:exact@1.0.0"], null);
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("SEED_DIR is missing"),
    });
  });
});
