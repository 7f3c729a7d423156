import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseDockerArgs } from "../../../shared/policy/docker.ts";
import { parseLaunch } from "../../../shared/policy/launch.ts";
import { type DockerEngine, startDockerEngine, whyNoEngine } from "../../support/docker-engine.ts";
import { fixtureImage, importFixtureImage } from "../../support/docker-images.ts";
import { dockerCall } from "../../support/docker-run.ts";
import { errorOf, textOf } from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";

const image = `${fixtureImage.package}:${fixtureImage.version}`;

/** Options that break out, by the reference of the docker command; TRAP is a folder of the machine. */
const hostileOptions = [
  "--privileged",
  "--privileged=true",
  "--cap-add ALL",
  "--cap-add=SYS_ADMIN",
  "--device /dev/kmsg",
  "--device-cgroup-rule=a",
  "--security-opt seccomp=unconfined",
  "--security-opt=no-new-privileges=false",
  "-v TRAP:/trap",
  "-vTRAP:/trap",
  "-iv TRAP:/trap",
  "--volume=TRAP:/trap",
  "-v /:/host",
  "-v /var/run/docker.sock:/var/run/docker.sock",
  "--mount type=bind,source=TRAP,target=/trap",
  "--mount type=tmpfs,target=/trap",
  "--mount type=bind,source=TRAP,target=/trap,bind-propagation=rshared",
  "--volumes-from other",
  "--volume-driver local",
  "--use-api-socket",
  "--pid host",
  "--ipc=host",
  "--uts host",
  "--userns host",
  "--cgroupns host",
  "--cgroup-parent /",
  "--runtime other",
  "--gpus all",
  "--sysctl kernel.msgmax=1",
  "--tmpfs /x:exec",
  "--annotation a=b",
  "--group-add 0",
  "-u root",
  "--user=0:0",
  "--network host",
  "--net=host",
  "--net container:other",
  "--add-host metadata:169.254.169.254",
  "--dns 127.0.0.1",
  "--ip 172.31.255.9",
  "--link other",
  "-p 1:1",
  "-P",
  "--mac-address 02:42:ac:11:00:99",
  "--entrypoint /bin/sh",
  "--pull always",
  "--platform linux/arm64",
  "--health-cmd x",
  "--env-file TRAP/file",
  "--label-file TRAP/file",
  "--cidfile TRAP/sprung",
  "--log-driver syslog",
  "--log-opt syslog-address=tcp://127.0.0.1:1",
  "-d",
  "-id",
  "--restart always",
  "--memory-swap -1",
  "--oom-kill-disable",
  "--pids-limit -1",
  "--shm-size 10g",
  "--ulimit nproc=1000000",
  "-t",
  "-it",
  "--network none",
  "--network=bridge,host",
  "--name=-v",
  "--",
];
/** Whole argument lists: what stands before `run`, other commands, other images. */
const hostileLines = [
  ...hostileOptions.map((option) => `run -i ${option} ${image} probe`),
  `-H tcp://127.0.0.1:1 run ${image}`,
  `--host=tcp://127.0.0.1:1 run ${image}`,
  `-c other run ${image}`,
  `--config TRAP run ${image}`,
  `--tlsverify run ${image}`,
  "build TRAP",
  "exec -i other sh",
  "compose up",
  "cp other:/ TRAP",
  "load -i TRAP/file",
  "buildx bake",
  "context use other",
  `container run ${image}`,
  `RUN ${image}`,
  `run -i -e DOCKER_HOST=tcp://127.0.0.1:1 ${image}`,
  `run -i -e LD_PRELOAD=/x.so ${image}`,
  `run -i -e PATH ${image}`,
  `run -i ${"a".repeat(64)}`,
  "run -i ../image",
  "run -i 127.0.0.1:5000/image",
  "run -i image@sha256:1",
  "run -i -",
];
/** What an honest config may hold as well: everything behind the image belongs to the server. */
const passing = [
  `run -i --name other --network bridge ${image} probe`,
  `run -i ${image} probe --privileged -v TRAP:/trap --network host`,
  `run --rm --init -i ${image} probe ; touch TRAP/sprung`,
  `run -i ${image} probe $(touch TRAP/sprung) \`touch TRAP/sprung\` | sh`,
  `run -i ${image} probe --entrypoint /bin/sh -- -u root`,
];

const noEngine = await whyNoEngine();

describe.skipIf(noEngine !== null)("hostile docker launches, run for real", () => {
  let engine: DockerEngine;
  let host: StartedHost;
  let trap: string;
  let listener: Server;
  let contacts = 0;

  beforeAll(async () => {
    trap = await mkdtemp(join(tmpdir(), "gangway-trap-"));
    await writeFile(join(trap, "file"), "TOKEN=from-a-file\n");
    listener = createServer((socket) => {
      contacts += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    engine = await startDockerEngine();
    await importFixtureImage(engine);
    host = await startHost({ environment: { GANGWAY_HOST_DOCKER_ENGINE: engine.host } });
  });
  afterAll(async () => {
    await host?.dispose();
    await engine?.close();
    listener.close();
    await rm(trap, { recursive: true, force: true });
  });

  const split = (line: string) => line.replaceAll("TRAP", trap).split(" ");
  const probe = async (args: string[], changes = {}) => {
    const tripwires = ["/trap/sprung", "/host/tmp/sprung", join(trap, "sprung")];
    const call = dockerCall("probe", "probe", { tripwires }, { launch: { args, ...changes } });
    return JSON.parse(textOf(await host.run({ ...call, pool_key: args.join(" ") })));
  };

  it.each(hostileLines)("refuses docker %s", (line) => {
    expect(parseLaunch("docker", split(line))).toMatchObject({ ok: false });
  });

  it("and would be sprung by these trip-wires without the refusals", async () => {
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"probe","arguments":{"tripwires":["/trap/sprung"]}}}`;
    const start = (...options: string[]) =>
      engine.docker(
        "run",
        "--rm",
        ...options,
        "--entrypoint",
        "/usr/bin/node",
        image,
        "-e",
        script,
      );
    const script = `const { PassThrough } = require("node:stream"); const input = new PassThrough(); Object.defineProperty(process, "stdin", { value: input }); import("/srv/docker/probe.mjs").then(() => input.end(${JSON.stringify(`${call}\n`)}))`;
    const options = `--cap-add=SYS_ADMIN --security-opt=seccomp=unconfined -v ${trap}:/trap --network=host`;
    const sprung = JSON.parse(await start(...options.split(" ")));
    const seen = JSON.parse(sprung.result.content[0].text);
    expect(seen).toMatchObject({ sprung: ["/trap/sprung"], seccomp: "0" });
    expect(new Set(seen.capabilities).size).toBeGreaterThan(1);
    expect(seen.interfaces).not.toContain("eth0");
    expect(existsSync(join(trap, "sprung"))).toBe(true);
    await rm(join(trap, "sprung"));
  });

  it.each(passing)("runs docker %s with no more than any other", async (line) => {
    const parsed = parseDockerArgs(split(line));
    if (!parsed.ok) throw new TypeError(parsed.message);
    const plain = await probe(["probe"]);
    const seen = await probe([...parsed.value.args]);
    expect(seen.argv).toEqual(parsed.value.args.slice(1));
    const own = { argv: [], env: {}, firstProcess: "" };
    expect({ ...seen, ...own }).toEqual({ ...plain, ...own });
    expect(seen).toMatchObject({ sprung: [], sockets: [], noNewPrivileges: "1", seccomp: "2" });
    expect(existsSync(join(trap, "sprung"))).toBe(false);
  });

  it.each([
    ["an option as image", { package: "--privileged", version: null }],
    ["an option as tag", { version: "1.0.0 --privileged" }],
    ["an option as name of a variable", { env: { "--privileged": "" } }],
    ["a value in the name of a variable", { env: { "A=B": "" } }],
    ["a volume of no root", { volumes: [{ source: "/", target: "/host", read_only: false }] }],
    [
      "an option in a volume",
      { volumes: [{ source: "/a,readonly", target: "/b", read_only: true }] },
    ],
    ["a program of the image", { bin: "sh" }],
  ])("is refused by the host itself: %s", async (_what, launch) => {
    expect(errorOf(await host.run(dockerCall("probe", "probe", {}, { launch })))).toMatchObject({
      code: "LAUNCH_NOT_ALLOWED",
      executed: "no",
    });
  });

  it("sends nothing to an address that a config names as engine", async () => {
    const address = listener.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const url = `tcp://127.0.0.1:${port}`;
    expect(parseLaunch("docker", ["-H", url, "run", image])).toMatchObject({ ok: false });
    for (const name of ["DOCKER_HOST", "Docker_Host", "DOCKER_CONTEXT", "DOCKER_CUSTOM_HEADERS"]) {
      const launch = { args: ["probe"], secret_env: { [name]: url }, env_opt_in: [name] };
      const events = await host.run(dockerCall("probe", "probe", {}, { launch }));
      expect(errorOf(events)).toMatchObject({ code: "LAUNCH_NOT_ALLOWED" });
    }
    expect(contacts).toBe(0);
  });
});
