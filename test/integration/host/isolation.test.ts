import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRunning, processesOf, until } from "../../support/host-processes.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";
import { callRequest, errorOf, type RunChanges, textOf } from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";
import { whyNotIsolated } from "../../support/whether-isolated.ts";

interface Self {
  readonly pid: number;
  readonly home: string;
  readonly tmp: string;
  readonly work: string;
  readonly script: string;
  readonly heap: readonly string[];
  readonly status: string;
  readonly limits: string;
  readonly oom: number;
  readonly environ: string;
}
type Args = Record<string, unknown>;
interface Outcome {
  readonly ok: boolean;
  readonly detail: string;
}

const secret = "sibling-9f31c07a";
const reason = whyNotIsolated();

describe.skipIf(reason !== null)("launches of one tenant, with a hostile one among them", () => {
  let registry: NpmRegistry;
  let host: StartedHost;
  let folder: string;
  const production = { GANGWAY_HOST_DEVELOPMENT: "false" };
  const start = (environment: Record<string, string> = {}) =>
    startHost({
      environment: {
        ...production,
        GANGWAY_HOST_NPM_REGISTRY: registry.url,
        GANGWAY_HOST_STOP_GRACE_MS: "200",
        GANGWAY_HOST_METRICS_PORT: "0",
        GANGWAY_HOST_LAUNCH_PROCESSES: "64",
        GANGWAY_HOST_LAUNCH_FILES: "100",
        NOT_FOR_THE_HOST: "worth-reading",
        ...environment,
      },
    });
  const call = (tool: string, args: Args = {}, changes: RunChanges = {}, on = host) =>
    on.run(callRequest("hostile", tool, args, changes));
  const attempt = async (tool: string, args: Args, changes?: RunChanges): Promise<Outcome> =>
    JSON.parse(textOf(await call(tool, args, changes)));
  const selfOf = async (changes?: RunChanges, on = host): Promise<Self> =>
    JSON.parse(textOf(await call("self", {}, changes, on)));
  const sibling: RunChanges = {
    pool_key: "acme/sibling",
    launch: { secret_env: { TOKEN: secret } },
  };
  const field = (status: string, name: string) =>
    new RegExp(`^${name}:[ \\t]*(.*?)\\s*$`, "m").exec(status)?.[1];

  beforeAll(async () => {
    registry = await startNpmRegistry([stdioFixtures()]);
    folder = await mkdtemp(join(tmpdir(), "gangway-isolation-"));
    chmodSync(folder, 0o755);
    host = await start();
  });
  afterAll(async () => {
    await host?.dispose();
    await registry.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("have a user and group of their own, no group besides, and no right at all", async () => {
    const [one, other] = [await selfOf(), await selfOf(sibling)];
    const [uid, otherUid] = [one, other].map(({ status }) => field(status, "Uid")?.split("\t")[0]);
    expect(Number(uid)).toBeGreaterThan(0);
    expect(otherUid).not.toBe(uid);
    for (const { status } of [one, other]) {
      const ids = ["Uid", "Gid"].map((name) => field(status, name)?.split("\t"));
      expect(new Set(ids.flat()).size).toBe(1);
      expect(field(status, "Groups")).toBe("");
      expect(field(status, "NoNewPrivs")).toBe("1");
      for (const set of ["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"])
        expect([set, field(status, set)]).toEqual([set, "0000000000000000"]);
    }
  });

  it("have limits, and are ended before the host when memory runs out", async () => {
    const { limits, heap, oom } = await selfOf();
    expect(limits).toMatch(/^Max core file size\s+0\s+0 /m);
    expect(limits).toMatch(/^Max processes\s+64\s+64 /m);
    expect(limits).toMatch(/^Max open files\s+100\s+100 /m);
    expect(heap).toEqual(["--max-old-space-size=1024"]);
    expect(oom).toBeGreaterThan(0);
    expect(Number((await attempt("open", { most: 1000 })).detail)).toBeLessThan(100);
    expect(Number((await attempt("forks", { most: 200 })).detail)).toBeLessThan(64);
  });

  it("have private folders of their own, in which they can work", async () => {
    const self = await selfOf();
    const uid = Number(field(self.status, "Uid")?.split("\t")[0]);
    for (const path of [self.home, self.tmp, self.work]) {
      expect(statSync(path)).toMatchObject({ uid, gid: uid });
      expect(statSync(path).mode & 0o777).toBe(0o700);
      expect(await attempt("write", { path: join(path, "memory.json") })).toMatchObject({
        ok: true,
      });
    }
    expect(statSync(join(self.home, "memory.json")).mode & 0o077).toBe(0);
  });

  it("reach nothing of each other, of the host, or of what is installed", async () => {
    const [self, other] = [await selfOf(), await selfOf(sibling)];
    expect(other.environ).toContain(secret);
    await writeFile(join(other.home, "private"), secret, { mode: 0o644 });
    const socket = join(folder, "docker.sock");
    const engine = createServer().listen(socket);
    await once(engine, "listening");
    chmodSync(socket, 0o660);
    const port = Number(new URL(host.url).port);
    const watcher = processesOf("gangway-watcher", host.pid).find((pid) =>
      processesOf(host.dataDir, host.pid).includes(pid),
    );
    const packages = join(host.dataDir, "npm", "packages");
    await mkdir(join(host.dataDir, "npm", "tags"), { recursive: true, mode: 0o700 });
    const attempts: [what: string, tool: string, args: Args][] = [
      ["read the sibling's environment", "read", { path: `/proc/${other.pid}/environ` }],
      ["read the host's environment", "read", { path: `/proc/${host.pid}/environ` }],
      ["read the watcher's environment", "read", { path: `/proc/${watcher}/environ` }],
      ["read the environment of process 1", "read", { path: "/proc/1/environ" }],
      ["list the sibling's open files", "list", { path: `/proc/${other.pid}/fd` }],
      ["list the host's open files", "list", { path: `/proc/${host.pid}/fd` }],
      ["enter the sibling's folder by /proc", "list", { path: `/proc/${other.pid}/cwd/` }],
      ["see the machine by the host's root", "list", { path: `/proc/${host.pid}/root/` }],
      ["write to the sibling's memory", "memory", { pid: other.pid }],
      ["write to the host's memory", "memory", { pid: host.pid }],
      ["attach to the sibling as a debugger", "ptrace", { pid: other.pid }],
      ["attach to the host as a debugger", "ptrace", { pid: host.pid }],
      ["kill the sibling", "signal", { pid: other.pid, name: "SIGKILL" }],
      ["kill the host", "signal", { pid: host.pid, name: "SIGKILL" }],
      ["kill the watcher", "signal", { pid: watcher, name: "SIGKILL" }],
      ["become root", "become", { uid: 0 }],
      ["become the sibling", "become", { uid: statSync(other.home).uid }],
      ["list the sibling's HOME", "list", { path: other.home }],
      ["read a file of the sibling's HOME", "read", { path: join(other.home, "private") }],
      ["write to the sibling's HOME", "write", { path: join(other.home, "planted") }],
      ["write to the sibling's TMPDIR", "write", { path: join(other.tmp, "planted") }],
      ["write to the sibling's working directory", "write", { path: join(other.work, "planted") }],
      ["write beside its own folders", "write", { path: join(self.home, "..", "planted") }],
      ["list the host's data", "list", { path: host.dataDir }],
      ["write to the host's data", "write", { path: join(host.dataDir, "planted") }],
      ["list the folders of all launches", "list", { path: join(self.home, "..", "..") }],
      ["list what is installed", "list", { path: packages }],
      ["plant a package", "mkdir", { path: join(packages, "planted"), mode: 0o777 }],
      ["change its own program", "append", { path: self.script }],
      ["write beside its own program", "write", { path: join(self.script, "..", "planted") }],
      ["read npm's config", "read", { path: join(host.dataDir, "npm/home/user.npmrc") }],
      ["write npm's config", "append", { path: join(host.dataDir, "npm/home/user.npmrc") }],
      ["plant npm's config", "write", { path: join(host.dataDir, "npm/home/.npmrc") }],
      ["list npm's cache", "list", { path: join(host.dataDir, "npm/cache") }],
      ["write to npm's cache", "write", { path: join(host.dataDir, "npm/cache/planted") }],
      ["read what tags mean", "list", { path: join(host.dataDir, "npm/tags") }],
      [
        "have the host run something",
        "request",
        { url: `${host.url}/v1/run`, method: "POST", body: "{}" },
      ],
      ["cancel a run", "request", { url: `${host.url}/v1/runs/any`, method: "DELETE" }],
      ["talk to the Docker engine", "connect", { path: socket }],
      ["talk to the machine's own Docker engine", "connect", { path: "/var/run/docker.sock" }],
      ["claim a user id", "write", { path: "/run/gangway-host/planted" }],
      ["dump the host's core", "signal", { pid: host.pid, name: "SIGABRT" }],
      [
        "outlive the host when memory runs out",
        "write",
        { path: "/proc/self/oom_score_adj", data: "-1" },
      ],
      [
        "raise its limits",
        "run",
        { argv: ["/usr/bin/prlimit", `--pid=${self.pid}`, "--nproc=1000:1000"] },
      ],
    ];
    const outcomes: string[] = [];
    for (const [what, tool, args] of attempts) {
      const { ok, detail } = await attempt(tool, args);
      outcomes.push(`${ok ? "SUCCEEDED" : "refused"}: ${what} (${detail.split("\n")[0]})`);
    }
    engine.close();
    console.info(outcomes.join("\n"));
    expect(outcomes.filter((line) => !line.startsWith("refused"))).toEqual([]);
    expect(
      await attempt("request", {
        url: `http://127.0.0.1:${port}/v1/run`,
        method: "POST",
        body: "{}",
      }),
    ).toMatchObject({
      detail: expect.stringMatching(/^401 /),
    });
    expect(isRunning(other.pid) && isRunning(host.pid)).toBe(true);
  });

  it("are refused by what is refused, not by what is missing: on their own they succeed", async () => {
    const self = await selfOf();
    const child = Number((await attempt("daemon", {})).detail);
    const own: [tool: string, args: Args][] = [
      ["read", { path: "/proc/self/environ" }],
      ["list", { path: `/proc/${child}/fd` }],
      ["memory", { pid: child }],
      ["signal", { pid: child, name: "SIGKILL" }],
      ["list", { path: self.home }],
      ["write", { path: join(self.tmp, "file") }],
      ["read", { path: self.script }],
      ["become", { uid: statSync(self.home).uid }],
      ["run", { argv: ["/usr/bin/prlimit", `--pid=${self.pid}`, "--nofile=90:100"] }],
      ["connect", { port: Number(new URL(host.url).port), host: "127.0.0.1" }],
      ["request", { url: `${host.url}/health`, method: "GET" }],
    ];
    for (const [tool, args] of own) {
      const { ok, detail } = await attempt(tool, args);
      // Writing to address 0 fails for want of memory there: the file was opened for writing.
      expect([tool, ok || detail === "EIO"]).toEqual([tool, true]);
    }
  });

  it("gain nothing by a setuid program", async () => {
    const program = join(folder, "id");
    copyFileSync("/usr/bin/id", program);
    chmodSync(program, 0o4755);
    const others = spawnSync(program, ["-u"], { uid: 65_534, gid: 65_534, encoding: "utf8" });
    expect(others.stdout.trim()).toBe("0"); // It works for others.
    const { detail } = await attempt("run", { argv: [program, "-u"] });
    expect(Number(detail)).toBeGreaterThan(0);
  });

  it("see in the metrics no name, value or argument of another", async () => {
    const ready = host.log.find(({ msg }) => msg === "metrics ready");
    const place = ready?.["place"] as { port: number } | undefined;
    const url = `http://127.0.0.1:${place?.port}/metrics`;
    const { ok, detail } = await attempt("request", { url, method: "GET" });
    expect(ok).toBe(true);
    expect(detail).not.toMatch(/acme|sibling|hostile|fixture/);
  });

  it("leave nothing to the next one in folders that everybody may write to", async () => {
    const mine = ["/tmp", "/var/tmp", "/dev/shm"].map(
      (path) => `${path}/gangway-planted-${host.pid}`,
    );
    const [first = "", ...files] = mine;
    const changes = { pool_key: "acme/planter" };
    expect(await attempt("mkdir", { path: first, mode: 0o1777 }, changes)).toMatchObject({
      ok: true,
    });
    for (const path of [join(first, "inside"), ...files]) {
      expect(await attempt("write", { path, mode: 0o666 }, changes)).toMatchObject({ ok: true });
      expect(statSync(path).mode & 0o077).toBe(0);
    }
    const argv = ["/usr/bin/ipcmk", "--shmem", "4096", "--mode", "0666"];
    expect(await attempt("run", { argv }, changes)).toMatchObject({ ok: true });
    const uid = statSync((await selfOf(changes)).home).uid;
    const shared = () => readFileSync("/proc/sysvipc/shm", "utf8").includes(` ${uid} `);
    expect(shared()).toBe(true);
    await call("signal", { pid: (await selfOf(changes)).pid, name: "SIGKILL" }, changes);
    await until("its shared memory is gone", () => !shared());
    await until("it is all gone", () =>
      mine.every((path) => statSync(path, { throwIfNoEntry: false }) === undefined),
    );
  });

  it("take along whatever they have started, wherever it has gone", async () => {
    const changes = { pool_key: "acme/forker" };
    const self = await selfOf(changes);
    const uid = statSync(self.home).uid;
    const forking = "while :; do (setsid sh -c 'sleep 100' &) ; done";
    for (const script of [
      "exec sleep 100",
      "trap '' TERM INT HUP; while :; do sleep 1; done",
      forking,
    ])
      await attempt("daemon", { script }, changes);
    const deep = `cd "$1" && for n in $(seq 40); do d=$(printf %0200d $n); mkdir $d && cd $d; done`;
    const sticky = join(self.work, "sticky");
    await attempt("run", { argv: ["/bin/sh", "-c", deep, "sh", self.home] }, changes);
    await attempt("mkdir", { path: sticky, mode: 0o1777 }, changes);
    await attempt("write", { path: join(sticky, "file") }, changes);
    await attempt("mkdir", { path: join(self.tmp, "closed"), mode: 0 }, changes);
    await until("it forks", () => runningAs(uid).length > 20);
    expect(errorOf(await call("signal", { pid: self.pid, name: "SIGKILL" }, changes)).code).toBe(
      "PROCESS_EXITED",
    );
    await until("nothing runs under its id", () => runningAs(uid).length === 0);
    await until(
      "its folders are gone",
      () => statSync(self.home, { throwIfNoEntry: false }) === undefined,
    );
  });

  it("end with a host that is killed, wherever they have gone", async () => {
    const killed = await start();
    const changes = { pool_key: "acme/daemon" };
    const self = await selfOf(changes, killed);
    const uid = statSync(self.home).uid;
    await call("daemon", {}, changes, killed);
    await call("mkdir", { path: join(self.work, "sticky"), mode: 0o1777 }, changes, killed);
    await call("write", { path: join(self.work, "sticky", "file") }, changes, killed);
    expect(runningAs(uid).length).toBe(2);
    await killed.end("SIGKILL");
    await until("nothing runs under its id", () => runningAs(uid).length === 0);
    await until(
      "no folder is left",
      () => readdirSync(join(killed.dataDir, "instances")).length === 0,
    );
    await killed.dispose();
  });

  it("never have the id of another host's launch", async () => {
    const other = await start();
    const uids = await Promise.all(
      [host, other].map(async (one) => statSync((await selfOf({}, one)).home).uid),
    );
    expect(new Set(uids).size).toBe(2);
    await other.dispose();
  });

  it("run what the installer owns, and nobody else may change", async () => {
    const { script } = await selfOf();
    const entry = join(host.dataDir, "npm", "packages");
    const [name = ""] = readdirSync(entry);
    const installer = statSync(join(host.dataDir, "npm", "cache")).uid;
    expect(installer).toBeGreaterThan(0);
    for (const path of [join(entry, name), script]) {
      expect(statSync(path).uid).toBe(installer);
      expect(statSync(path).mode & 0o022).toBe(0);
    }
  });

  it("install by an id of their own where scripts of packages run, and leave nothing of them", async () => {
    const entry = readdirSync(join(host.dataDir, "npm", "packages"))[0] ?? "";
    const targets = [
      "npm/cache/planted",
      "npm/home/.npmrc",
      `npm/packages/${entry}/planted`,
      "planted",
    ];
    const { files } = stdioFixtures();
    const script = `
      import { spawn } from "node:child_process";
      import { readFileSync, writeFileSync } from "node:fs";
      const outcomes = ${JSON.stringify(targets.map((path) => join(host.dataDir, path)))}.map((path) => {
        try { writeFileSync(path, ""); return "written"; } catch (error) { return error.code; }
      });
      spawn("/bin/sh", ["-c", "exec sleep 100"], { detached: true, stdio: "ignore", env: {} }).unref();
      writeFileSync("/tmp/gangway-install-${host.pid}", "");
      writeFileSync("outcome.json", JSON.stringify({ outcomes, uid: process.getuid() }), { mode: 0o4777 });
      process.umask(0);
      writeFileSync("open.json", "", { mode: 0o666 });`;
    registry.publish({
      name: "builds",
      version: "1.0.0",
      bin: "echo.mjs",
      scripts: { postinstall: "node script.mjs" },
      files: { ...files, "script.mjs": script },
    });
    const launch = { package: "builds", version: "1.0.0", install: { allow_scripts: true } };
    await host.run(callRequest(null, "pid", {}, { pool_key: "acme/builds", launch }));
    const built = readdirSync(join(host.dataDir, "npm", "packages")).find((name) => name !== entry);
    const installed = join(host.dataDir, "npm", "packages", built ?? "", "node_modules", "builds");
    const outcome = JSON.parse(readFileSync(join(installed, "outcome.json"), "utf8"));
    expect(outcome.outcomes).toEqual(targets.map(() => "EACCES"));
    expect(outcome.uid).not.toBe(statSync(join(host.dataDir, "npm", "cache")).uid);
    expect(outcome.uid).toBeGreaterThan(0);
    for (const path of [installed, join(installed, "outcome.json"), join(installed, "open.json")]) {
      expect(statSync(path).uid).toBe(0);
      expect(statSync(path).mode & 0o6022).toBe(0);
    }
    expect(runningAs(outcome.uid)).toEqual([]);
    expect(existsSync(`/tmp/gangway-install-${host.pid}`)).toBe(false);
  });

  it("have a host with five rights and an environment without anything but its settings", async () => {
    const status = readFileSync(`/proc/${host.pid}/status`, "utf8");
    expect(field(status, "CapPrm")).toBe("00000000000000e3");
    expect(field(status, "CapEff")).toBe("00000000000000e3");
    expect(field(status, "CapBnd")).toBe("0000000000000000");
    expect(field(status, "NoNewPrivs")).toBe("1");
    const environ = readFileSync(`/proc/${host.pid}/environ`, "utf8");
    expect(environ).toContain("GANGWAY_HOST_TICKET_KEY=");
    expect(environ).not.toContain("worth-reading");
    expect(environ).not.toContain('"d":');
  });
});

/** Pids of what runs under a user id. */
function runningAs(uid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        return (
          new RegExp(`^Uid:.*\\t${uid}(\\t|$)`, "m").test(status) && !/^State:\s+Z/m.test(status)
        );
      } catch {
        return false; // It has ended meanwhile.
      }
    });
}
