import { execFile, spawn, spawnSync } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type NpmRegistry, startNpmRegistry } from "../../support/npm-registry.ts";
import { root } from "../../support/source-files.ts";

const lockfile = {
  name: "project",
  version: "1.0.0",
  lockfileVersion: 3,
  requires: true,
  packages: {
    "": { name: "project", version: "1.0.0", devDependencies: { node: "24.0.0" } },
    "node_modules/node": { version: "24.0.0", dev: true, bin: { node: "bin/node" } },
  },
};

let registry: NpmRegistry;
let project: string;

beforeAll(async () => {
  const node = { name: "node", version: "24.0.0", bin: { node: "bin/node" } };
  registry = await startNpmRegistry([
    { ...node, files: { "bin/node": "#!/bin/sh\necho v24.0.0\n" } },
  ]);
});

afterAll(() => registry.close());

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), "gangway-setup-"));
  await mkdir(join(project, "infra"));
  await cp(join(root, "infra/setup.mjs"), join(project, "infra/setup.mjs"));
  const { name, version, devDependencies } = lockfile.packages[""];
  await writeFile(
    join(project, "package.json"),
    JSON.stringify({ name, version, devDependencies }),
  );
  await writeFile(join(project, "package-lock.json"), JSON.stringify(lockfile));
});

afterEach(() => rm(project, { recursive: true, force: true }));

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The set-up's environment, with a cache of its own. */
function environmentOf(environment: Record<string, string>): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: project,
    npm_config_registry: registry.url,
    npm_config_cache: join(project, "cache"),
    ...environment,
  };
}

/** Runs the set-up in a process group of its own; `act` gets all that it has printed, and its id. */
function watchSetUp(
  act: (printed: string, pid: number) => void,
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const child = spawn(process.execPath, ["infra/setup.mjs"], {
    cwd: project,
    env: environmentOf(environment),
    detached: true,
  });
  const printed = { stdout: "", stderr: "" };
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.stderr += text));
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed.stdout += text;
    act(printed.stdout, child.pid ?? 0);
  });
  return new Promise((resolve) => {
    child.once("close", (code) => resolve({ code: code ?? 0, ...printed }));
  });
}

/** Says that a process is at the installation. */
async function installing(pid: number): Promise<string> {
  await mkdir(join(project, ".gangway"));
  const turn = join(project, ".gangway/installing");
  await symlink(String(pid), turn);
  return turn;
}

/** Runs the set-up as npm would. */
function setUp(
  environment: Record<string, string> = {},
  nodeOptions: string[] = [],
): Promise<Outcome> {
  const env = environmentOf(environment);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [...nodeOptions, "infra/setup.mjs"],
      { cwd: project, env },
      (error, stdout, stderr) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr }),
    );
  });
}

describe("the set-up before npm start and npm test", () => {
  it("installs in a fresh clone, and does nothing when that is done", async () => {
    expect(await setUp()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Installing /) });
    expect(await setUp()).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("installs again when the lockfile has changed, and not when it was only touched", async () => {
    await setUp();
    const later = new Date(Date.now() + 60_000);
    await utimes(join(project, "package-lock.json"), later, later);
    expect((await setUp()).stdout).toBe("");
    await appendFile(join(project, "package-lock.json"), "\n");
    await utimes(join(project, "package-lock.json"), later, later);
    expect((await setUp()).stdout).toMatch(/^Installing /);
  });

  it("waits for another process that installs, and then looks whether that is done", async () => {
    const turn = await installing(process.pid);
    let ended: Promise<void> | undefined;
    const outcome = await watchSetUp((printed) => {
      if (printed.includes("\n")) ended ??= rm(turn);
    });
    await ended;
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(outcome.stdout).toMatch(/^Waiting for another process [^\n]*\nInstalling /);
    expect(await setUp()).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("does not wait for a process that has ended", async () => {
    await installing(spawnSync("true").pid);
    expect(await setUp()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Installing /) });
  });

  it("ends after npm at Ctrl-C, and calls that no failure", async () => {
    const npm = join(project, "npm-cli.js");
    await writeFile(
      npm,
      `process.on("SIGINT", () => { console.log("npm has stopped"); console.error("npm error"); process.exit(1); });
       setInterval(() => {}, 1000);
       console.log("npm runs");\n`,
    );
    let told = false;
    const interrupt = (printed: string, pid: number) => {
      if (told || !printed.includes("npm runs")) return;
      told = true;
      process.kill(-pid, "SIGINT");
    };
    const { code, stdout, stderr } = await watchSetUp(interrupt, { npm_execpath: npm });
    expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
    expect(stdout).toMatch(/npm has stopped\n/);
    expect(await setUp()).toMatchObject({ code: 0 });
  });

  it("kills npm at the second Ctrl-C", async () => {
    const npm = join(project, "npm-cli.js");
    await writeFile(
      npm,
      `process.on("SIGINT", () => console.log("npm goes on"));
       setInterval(() => {}, 1000);
       console.log("npm runs");\n`,
    );
    let sent = 0;
    const interrupt = (printed: string, pid: number) => {
      const both = printed.includes("npm goes on") && printed.includes("Ctrl-C again");
      const due = printed.includes("npm runs") ? (both ? 2 : 1) : 0;
      for (; sent < due; sent += 1) process.kill(-pid, "SIGINT");
    };
    expect(await watchSetUp(interrupt, { npm_execpath: npm })).toMatchObject({ code: 130 });
  });

  it("installs what production settings would leave out", async () => {
    expect(await setUp({ NODE_ENV: "production" })).toMatchObject({ code: 0 });
  });

  it("names a registry that cannot be reached, without its password, and the remedy, in one line", async () => {
    const named = "http://name:hunter2@127.0.0.1:1/";
    const { code, stderr } = await setUp({ npm_config_registry: named });
    expect(code).toBe(1);
    expect(stderr.trimEnd()).toBe(
      "The npm registry http://127.0.0.1:1/ cannot be reached (ECONNREFUSED): check the network and the proxy, or name a mirror with `npm config set registry URL`, then try again.",
    );
  });

  it("names the variable for a private CA when the registry's certificate is not trusted", async () => {
    const npm = join(project, "npm-cli.js");
    await writeFile(
      npm,
      'console.error("npm error code SELF_SIGNED_CERT_IN_CHAIN"); process.exit(1);\n',
    );
    const { code, stderr } = await setUp({ npm_execpath: npm });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^The certificate .* is not trusted \(SELF_SIGNED_CERT_IN_CHAIN\): set NODE_EXTRA_CA_CERTS .*\n$/,
    );
  });

  it("shows what npm says when it fails for another reason", async () => {
    await writeFile(
      join(project, "package-lock.json"),
      JSON.stringify({ ...lockfile, packages: {} }),
    );
    const { code, stderr } = await setUp();
    expect(code).toBe(1);
    expect(stderr).toContain("in sync");
    expect(stderr.trimEnd()).toMatch(/`npm ci` failed: mend what it says above, then try again\.$/);
  });

  it("refuses a Node that is too old in one line", async () => {
    const old = `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"18.20.0"}})`;
    const { code, stderr } = await setUp({}, ["--import", old]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      "Node 18.20.0 is too old: install Node 20 or newer (https://nodejs.org), then try again.\n",
    );
  });

  it("tells when the Node of the dependencies does not run", async () => {
    await setUp();
    await writeFile(join(project, "node_modules/node/bin/node"), "#!/bin/sh\nexit 1\n");
    const { code, stderr } = await setUp();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^node_modules holds no Node 24 that runs here.*\n$/);
  });
});
