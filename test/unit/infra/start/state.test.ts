import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { developmentKey } from "../../../../infra/start/development-key.ts";
import { readSecrets } from "../../../../infra/start/secrets.ts";
import { openStateFolder, writePrivately } from "../../../../infra/start/state-folder.ts";
import { workerConfig } from "../../../../infra/start/worker-config.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-state-"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe("the state folder", () => {
  it("is open to its owner only", async () => {
    const state = openStateFolder(join(folder, ".gangway"), process.pid);
    for (const path of [join(folder, ".gangway"), state.logs, state.run, state.host]) {
      expect(await modeOf(path)).toBe(0o700);
    }
  });

  it("has a folder for each start, which goes when its process has gone", async () => {
    const left = openStateFolder(folder, spawnSync("true").pid);
    const other = openStateFolder(folder, process.ppid);
    const own = openStateFolder(folder, process.pid);
    await expect(stat(left.run)).rejects.toThrow("ENOENT");
    expect([await modeOf(other.run), await modeOf(own.run)]).toEqual([0o700, 0o700]);
  });

  it("is named with the remedy where it cannot be made", async () => {
    const file = join(folder, "a");
    await writeFile(file, "");
    expect(() => openStateFolder(file, process.pid)).toThrow(
      `The state folder ${file} cannot be used (EEXIST): make it one of your own, or choose another with \`npm start -- --state FOLDER\`.`,
    );
  });

  it("keeps files private that were not", async () => {
    const file = join(folder, "a");
    await writeFile(file, "old", { mode: 0o644 });
    writePrivately(file, "new");
    expect(await modeOf(file)).toBe(0o600);
  });
});

describe("the development key", () => {
  it("is the same at the next start, and private", async () => {
    const file = join(folder, "key");
    const first = await developmentKey(file, "devkey");
    expect(first).toMatch(/^gw_dev_devkey_[0-9a-f]{64}_[0-9a-f]{8}$/);
    expect(await developmentKey(file, "devkey")).toBe(first);
    expect(await modeOf(file)).toBe(0o600);
  });

  it.each(["", "gw_dev_devkey_00_00", "x"])(
    "is made anew where the kept one is broken: '%s'",
    async (text) => {
      const file = join(folder, "key");
      await writeFile(file, text);
      const key = await developmentKey(file, "devkey");
      expect(key).toMatch(/^gw_dev_devkey_/);
      expect((await readFile(file, "utf8")).trim()).toBe(key);
    },
  );

  it("is made anew for another key id", async () => {
    const file = join(folder, "key");
    await developmentKey(file, "devkey");
    expect(await developmentKey(file, "other1")).toMatch(/^gw_dev_other1_/);
  });
});

describe("secrets", () => {
  it("are the GW_SECRET_ variables of file and environment, which wins; nothing else", async () => {
    const file = join(folder, "secrets.env");
    await writeFile(file, 'GW_SECRET_A=file\nGW_SECRET_B="it\'s $HOME"\n');
    const secrets = readSecrets(file, { GW_SECRET_A: "environment", HOME: "/root" });
    expect(secrets.variables).toEqual({
      GW_SECRET_A: "environment",
      GW_SECRET_B: "it's $HOME",
    });
  });

  it("need no file", () => {
    expect(readSecrets(join(folder, "none"), {})).toMatchObject({ variables: {}, notes: [] });
  });
});

describe("the Worker's config for a local run", () => {
  it("is wrangler.toml with absolute paths, another deployment, and variables unchanged", async () => {
    const toml = join(folder, "wrangler.toml");
    await writeFile(
      toml,
      'name = "edge"\nmain = "src/worker.ts"\n[alias]\n"big" = "./small.ts"\n[limits]\ncpu_ms = 5\n',
    );
    const vars = { GW_SECRET_A: `quotes ' " \` and $HOME\nlines` };
    expect(
      JSON.parse(workerConfig(toml, { deploymentFile: "/run/deployment.json", vars })),
    ).toEqual({
      name: "edge",
      main: join(folder, "src/worker.ts"),
      limits: { cpu_ms: 5 },
      alias: { big: join(folder, "small.ts"), "#deployment": "/run/deployment.json" },
      vars,
    });
  });
});
