import { execFile } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
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

/** Runs the set-up as npm would, with a cache of its own. */
function setUp(
  environment: Record<string, string> = {},
  nodeOptions: string[] = [],
): Promise<Outcome> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: project,
    npm_config_registry: registry.url,
    npm_config_cache: join(project, "cache"),
    ...environment,
  };
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
