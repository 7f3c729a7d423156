import { chmod, chown, mkdir, mkdtemp, readdir, readlink, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRunning, until } from "../../support/host-processes.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";
import { callRequest, textOf } from "../../support/run-request.ts";
import { type StartedHost, startHost, type StartHostOptions } from "../../support/start-host.ts";
import { whyNotIsolated } from "../../support/whether-isolated.ts";

const nobody = 65_534;
const asNobody = [
  "/usr/bin/setpriv",
  `--reuid=${nobody}`,
  `--regid=${nobody}`,
  "--clear-groups",
  "--",
] as const;
const withoutKill = ["/usr/bin/setpriv", "--bounding-set=-kill", "--"] as const;
const isRoot = process.getuid?.() === 0;
let registry: NpmRegistry;
let folder: string;

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
  folder = await mkdtemp(join(tmpdir(), "gangway-isolation-"));
  await chmod(folder, 0o755);
});
afterAll(async () => {
  await registry.close();
  await rm(folder, { recursive: true, force: true });
});

const start = ({ environment, ...options }: StartHostOptions) =>
  startHost({
    ...options,
    environment: { GANGWAY_HOST_NPM_REGISTRY: registry.url, ...environment },
  });
const production = { GANGWAY_HOST_DEVELOPMENT: "false" };

async function dataDirOf(uid: number): Promise<string> {
  const dataDir = await mkdtemp(join(folder, "data-"));
  if (isRoot) await chown(dataDir, uid, uid);
  return dataDir;
}

const warnings = ({ log }: StartedHost) =>
  log.filter(({ msg }) => msg === "launches run as the host's own user");

describe("a host that is not root", () => {
  const through = isRoot ? { through: asNobody } : {};

  it("in development warns once, and runs launches as its own user", async () => {
    const environment = { GANGWAY_HOST_METRIC_PORT: "9090" };
    const host = await start({ ...through, dataDir: await dataDirOf(nobody), environment });
    const unknown = {
      level: 40,
      variable: "GANGWAY_HOST_METRIC_PORT",
      nearest: "GANGWAY_HOST_METRICS_PORT",
    };
    expect(host.log).toContainEqual(expect.objectContaining(unknown));
    expect(warnings(host)).toEqual([
      expect.objectContaining({ level: 40, reason: expect.stringContaining("not run as root") }),
    ]);
    const self = JSON.parse(textOf(await host.run(callRequest("hostile", "self"))));
    const uid = isRoot ? nobody : process.getuid?.();
    expect(self.status).toMatch(new RegExp(`^Uid:\\t${uid}\\t`, "m"));
    await host.run(callRequest("echo", "pid"));
    expect(warnings(host)).toHaveLength(1);
    expect(await host.end()).toBe(0);
    await until("its server is gone", () => !isRunning(self.pid));
    await host.dispose();
  });

  it("in production does not start, and says what it needs", async () => {
    const dataDir = await dataDirOf(nobody);
    await expect(start({ ...through, dataDir, environment: production })).rejects.toThrow(
      /^the host ended with 2: gangway host: The host does not run as root; start the host as root with the capabilities CHOWN, DAC_OVERRIDE, KILL, SETGID, SETUID\. .*GANGWAY_HOST_DEVELOPMENT=true/,
    );
    expect(await readdir(join(dataDir, "instances"))).toEqual([]);
  });
});

describe.skipIf(whyNotIsolated() !== null)("a host of root", () => {
  it("in production does not start without one of its rights", async () => {
    await expect(start({ through: withoutKill, environment: production })).rejects.toThrow(
      /^the host ended with 2: gangway host: The host lacks KILL; start the host as root/,
    );
  });

  it("in development warns of it, and runs launches as root", async () => {
    const host = await start({ through: withoutKill });
    expect(warnings(host)).toHaveLength(1);
    expect(textOf(await host.run(callRequest("echo", "pid")))).toMatch(/^\d+$/);
    await host.dispose();
  });

  it("needs no more than its five rights, as containers are given them", async () => {
    const five = "-all,+chown,+dac_override,+kill,+setgid,+setuid";
    const through = ["/usr/bin/setpriv", `--bounding-set=${five}`, "--"] as const;
    const host = await start({ through, environment: production });
    const self = JSON.parse(textOf(await host.run(callRequest("hostile", "self"))));
    expect(self.status).toMatch(/^CapPrm:\t0+$/m);
    expect(self.status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(self.status).not.toMatch(/^Uid:\t0/m);
    expect(await host.end()).toBe(0);
    await host.dispose();
  });

  it("hands on no open file of whoever started it", async () => {
    // Of the first few, Node lets none go on by itself.
    const opens = 'POSIX::dup2(POSIX::open("/"), 200); exec @ARGV';
    const through = ["/usr/bin/perl", "-MPOSIX", "-e", opens, "--"] as const;
    const host = await start({ through });
    const files = await Promise.all(
      (await readdir(`/proc/${host.pid}/fd`)).map((file) =>
        readlink(`/proc/${host.pid}/fd/${file}`).catch(() => ""),
      ),
    );
    expect(files).toContain("/dev/null");
    expect(files).not.toContain("/");
    await host.dispose();
  });

  it("installs into a data folder that a host without isolation has used", async () => {
    const dataDir = await mkdtemp(join(folder, "data-"));
    const before = await start({ through: withoutKill, dataDir });
    expect(textOf(await before.run(callRequest("echo", "pid")))).toMatch(/^\d+$/);
    await before.dispose();
    await rm(join(dataDir, "npm", "packages"), { recursive: true });
    expect(await readdir(join(dataDir, "npm", "cache"))).toContain("_cacache");
    const host = await start({ dataDir, environment: production });
    expect(textOf(await host.run(callRequest("echo", "pid")))).toMatch(/^\d+$/);
    await host.dispose();
  });

  it("does not start where launches could not reach their folders", async () => {
    const parent = await mkdtemp(join(tmpdir(), "gangway-closed-"));
    const dataDir = join(parent, "data");
    await mkdir(dataDir, { mode: 0o700 });
    await expect(start({ dataDir, environment: production })).rejects.toThrow(
      /^the host ended with 2: gangway host: A trial launch could not run .*GANGWAY_HOST_DATA_DIR/,
    );
    expect(await readdir(join(dataDir, "instances"))).toEqual([]);
    await rm(parent, { recursive: true });
  });

  it("does not start on ids that another host has", async () => {
    const environment = {
      ...production,
      GANGWAY_HOST_LAUNCH_UIDS: "41024-41087",
      GANGWAY_HOST_MAX_PROCESSES: "4",
    };
    const first = await start({ environment });
    await expect(start({ environment })).rejects.toThrow(
      /^the host ended with 2: gangway host: Other hosts .* GANGWAY_HOST_LAUNCH_UIDS; set it/,
    );
    await first.dispose();
    await (await start({ environment })).dispose();
  });
});

describe.skipIf(whyNotIsolated() !== null)("the cloud's metadata", () => {
  let metadata: Server;
  let address: string;
  let connections = 0;

  beforeAll(async () => {
    metadata = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => metadata.listen(0, "127.0.0.1", resolve));
    const bound = metadata.address();
    address = `127.0.0.1:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
  });

  it("keeps a host from serving where launches reach it", async () => {
    const environment = { ...production, GANGWAY_HOST_METADATA_ADDRESS: address };
    await expect(start({ environment })).rejects.toThrow(
      `the host ended with 2: gangway host: Launches reach the cloud's metadata at ${address}`,
    );
    expect(connections).toBe(1);
  });

  it("is not looked for where the operator says so, or in development", async () => {
    const before = connections;
    const none = { ...production, GANGWAY_HOST_METADATA_ADDRESS: "none" };
    const development = { GANGWAY_HOST_METADATA_ADDRESS: address };
    for (const environment of [none, development]) await (await start({ environment })).dispose();
    expect(connections).toBe(before);
  });

  it("keeps no host from serving where nothing answers", async () => {
    await new Promise((resolve) => metadata.close(resolve));
    const environment = { ...production, GANGWAY_HOST_METADATA_ADDRESS: address };
    const host = await start({ environment });
    expect(await host.end()).toBe(0);
    await host.dispose();
  });
});
