import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { whyMissing } from "./debian-packages.ts";
import { until } from "./host-processes.ts";

const run = promisify(execFile);

/** A real Docker engine of a test's own. */
export interface DockerEngine {
  /** As DOCKER_HOST has it. */
  readonly host: string;
  /** Pid of a process in the engine's network namespace. */
  readonly pid: number;
  /** Runs the docker command against it; answers its stdout. */
  readonly docker: (...args: string[]) => Promise<string>;
  /** Names of all containers, in any state. */
  readonly containers: () => Promise<string[]>;
  /** Ends the engine and all of its containers. */
  readonly close: () => Promise<void>;
}

const programs = "dockerd containerd runc iptables ip docker-init busybox unshare docker".split(
  " ",
);
const packages = "docker.io containerd runc iptables iproute2 tini busybox-static util-linux".split(
  " ",
);
const readyWithinMs = 30_000;

/** Why this machine can have no engine; null = it can. */
export async function whyNoEngine(): Promise<string | null> {
  if (process.getuid?.() !== 0) return "the Docker engine needs root";
  return whyMissing({ what: "the Docker engine", programs, packages });
}

/**
 * The engine lives in namespaces of its own: it touches neither the machine's network nor its
 * firewall, any number run side by side, and the end of the first process in them ends them all.
 */
const engineScript = `
ip link set lo up
dockerd --host "unix://$1/docker.sock" --data-root "$1/data" --exec-root "$1/exec" \\
  --pidfile "$1/pid" --bip 172.31.255.1/24 --log-level warn $2 >"$1/log" 2>&1 &
cat >/dev/null
kill -TERM $!
wait
`;
const unshare = "--net --mount --pid --fork --kill-child --mount-proc".split(" ");

/** Starts an engine; it ends with this process at the latest. */
export async function startDockerEngine(options: readonly string[] = []): Promise<DockerEngine> {
  // The paths of its sockets must be short.
  const folder = await mkdtemp("/tmp/gangway-docker-");
  const host = `unix://${folder}/docker.sock`;
  const child = spawn(
    "unshare",
    [...unshare, "sh", "-c", engineScript, "engine", folder, options.join(" ")],
    { stdio: ["pipe", "ignore", "inherit"] },
  );
  const docker = async (...args: string[]) => {
    const { stdout } = await run("docker", ["--host", host, ...args], {
      env: { PATH: process.env["PATH"] ?? "", HOME: folder },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trim();
  };
  const answers = () =>
    docker("version").then(
      () => true,
      () => false,
    );
  try {
    await until("the engine answers", answers, readyWithinMs);
  } catch (error) {
    const log = await readFile(join(folder, "log"), "utf8").catch(() => "no log");
    await endEngine(child, folder);
    throw new TypeError(`the Docker engine did not start: ${log.slice(-4000)}`, { cause: error });
  }
  return {
    host,
    pid: await childOf(Number(child.pid)),
    docker,
    containers: async () => {
      const names = await docker("container", "ls", "--all", "--format", "{{.Names}}");
      return names.split("\n").filter((name) => name !== "");
    },
    close: () => endEngine(child, folder),
  };
}

/** `unshare` itself stays outside of the namespaces that it makes for its child. */
async function childOf(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  return Number(children.trim().split(" ")[0]);
}

async function endEngine(child: ChildProcess, folder: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.stdin?.end();
    const late = setTimeout(() => child.kill("SIGKILL"), 20_000);
    await ended;
    clearTimeout(late);
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
