import { describe, expect, it } from "vitest";
import {
  checkBareEnvNames,
  parseDockerArgs,
  type DockerLaunch,
} from "../../../../shared/policy/docker.ts";
import type { EnvNameReason, LaunchReason } from "../../../../shared/policy/reasons.ts";

type Reason = LaunchReason | EnvNameReason;
const digest = `sha256:${"0123456789abcdef".repeat(4)}`;
const image = "ghcr.io/acme/mcp:1.2.3";

const refusedOptions: [string[], Reason][] = [
  // the host's walls
  ...[
    ["--privileged"],
    ["--privileged=true"],
    ["--cap-add=ALL"],
    ["--cap-add", "ALL"],
    ["--device=/dev/sda"],
    ["--device-cgroup-rule=a *:* rwm"],
    ["--security-opt=seccomp=unconfined"],
    ["--security-opt", "apparmor=unconfined"],
    ["--volumes-from", "other"],
    ["--volume-driver=evil"],
    ["--use-api-socket"],
    ["--pid=host"],
    ["--pid", "host"],
    ["--ipc=host"],
    ["--uts=host"],
    ["--userns=host"],
    ["--cgroupns=host"],
    ["--cgroup-parent=/"],
    ["--runtime=evil"],
    ["--gpus=all"],
    ["--sysctl=kernel.x=1"],
    ["--tmpfs", "/x:exec"],
    ["--annotation=a=b"],
    ["--group-add=0"],
    ["-u", "root"],
    ["--user=0"],
    ["-w", "/"],
    ["--read-only=false"],
    // network
    ["--network", "host"],
    ["--network=host"],
    ["--net=host"],
    ["--net", "container:x"],
    ["--network", "none"],
    ["--network", "bridge,host"],
    ["--network=BRIDGE"],
    ["--network=xbridge"],
    ["--network=bridge2"],
    ["--net=xbridge"],
    ["--net=bridge2"],
    ["--network="],
    ["--net", "host\nbridge"],
    ["--name", ""],
    ["--name=-x"],
    ["--name", "a b"],
    ["--name", "a/b"],
    ["--name", "${NAME}"],
    ["--name", "a".repeat(129)],
    ["--add-host=metadata:169.254.169.254"],
    ["--dns=10.0.0.1"],
    ["--ip=10.0.0.2"],
    ["--link=x"],
    ["-p", "80:80"],
    ["-P"],
    ["--publish=80:80"],
    ["--mac-address=x"],
    ["--hostname=x"],
    // other code
    ["--no--tty"],
    ["-w/a-t"],
    ["--entrypoint=sh"],
    ["--entrypoint", "sh"],
    ["--pull=always"],
    ["--platform=linux/arm64"],
    ["--health-cmd=id"],
    ["--isolation=x"],
    ["--stop-signal=9"],
    // files and logs
    ["--env-file", "/etc/passwd"],
    ["--env-file=/etc/passwd"],
    ["--label-file=/etc/passwd"],
    ["--cidfile=/tmp/x"],
    ["--log-driver=syslog"],
    ["--log-opt", "syslog-address=tcp://evil.example"],
    // exhaustion
    ["-d"],
    ["--restart=always"],
    ["--memory-swap=-1"],
    ["--oom-kill-disable"],
    ["--pids-limit=-1"],
    ["--shm-size=9g"],
    ["--ulimit=nofile=9"],
    // spellings
    ["-ie", "A"],
    ["-eA=1"],
    ["-e=A"],
    ["-v=/srv:/data"],
    ["-v/:/host"],
    ["--interactive=true"],
    ["--rm=true"],
    ["--RM"],
    ["-I"],
    ["--"],
    ["-"],
    ["-ri"],
    ["--env-fil=/etc/passwd"],
  ].map((options): [string[], Reason] => [options, "option-not-allowed"]),
  [["-t"], "docker-tty"],
  [["-it"], "docker-tty"],
  [["-ti"], "docker-tty"],
  [["-dit"], "docker-tty"],
  [["--tty"], "docker-tty"],
  [["--tty=true"], "docker-tty"],
  // env
  [["-e", "LD_PRELOAD=/tmp/x"], "env-name-reserved"],
  [["-e", "node_options"], "env-name-reserved"],
  [["--env=DOCKER_HOST=tcp://evil.example"], "env-name-reserved"],
  [["-e", "__proto__=1"], "env-name-reserved"],
  [["-e", "A B=1"], "env-name-invalid"],
  [["-e", "=1"], "env-name-invalid"],
  [["-e", ""], "env-name-invalid"],
  [["-e", "${NAME}=1"], "env-name-invalid"],
  [["--env="], "env-name-invalid"],
  [["-e", "--privileged"], "env-name-invalid"],
  // volumes
  [["-v", "/:/host"], "volume-invalid"],
  [["-v", "/etc:/host"], "volume-outside-roots"],
  [["-v", "/data-evil/x:/host"], "volume-outside-roots"],
  [["-v", "/data/../etc:/host"], "volume-invalid"],
  [["-v", "/data/./x:/host"], "volume-invalid"],
  [["-v", "/data//x:/host"], "volume-invalid"],
  [["-v", "/data/x:/host/.."], "volume-invalid"],
  [["-v", "data:/host"], "volume-invalid"],
  [["-v", "/data/x"], "volume-invalid"],
  [["-v", "./data:/host"], "volume-invalid"],
  [["-v", "~/data:/host"], "volume-invalid"],
  [["-v", "${HOME}:/host"], "volume-invalid"],
  [["-v", "C:/data:/host"], "volume-invalid"],
  [["-v", "/data/x:host"], "volume-invalid"],
  [["-v", "/data/x:/host:z"], "volume-invalid"],
  [["-v", "/data/x:/host:ro,shared"], "volume-invalid"],
  [["-v", "/data/x:/host:ro:rw"], "volume-invalid"],
  [["--volume=/var/run/docker.sock:/s"], "volume-is-socket"],
  [["-v", "/data/docker.sock:/s"], "volume-is-socket"],
  [["-v", "/data/Docker.SOCK:/s"], "volume-is-socket"],
];

const refusedForms: [string[], Reason, number | undefined][] = [
  [[], "docker-not-run", 0],
  [["-H", "tcp://evil.example", "run", image], "docker-not-run", 0],
  [["--host=tcp://evil.example", "run", image], "docker-not-run", 0],
  [["--context", "evil", "run", image], "docker-not-run", 0],
  [["--config", "/tmp/evil", "run", image], "docker-not-run", 0],
  [["-c", "evil", "run", image], "docker-not-run", 0],
  [["--tls", "run", image], "docker-not-run", 0],
  [["RUN", image], "docker-not-run", 0],
  ...[
    "build",
    "exec",
    "compose",
    "cp",
    "load",
    "buildx",
    "context",
    "mcp",
    "container",
    "pull",
    "login",
  ].map((command): [string[], Reason, number] => [[command, "run", image], "docker-not-run", 0]),
  [["run"], "image-missing", undefined],
  [["run", "-i", "--rm"], "image-missing", undefined],
  [["run", "-e"], "option-value-missing", 1],
  [["run", "-i", "--volume"], "option-value-missing", 2],
  [["run", "-i", ""], "image-missing", 2],
  [["run", "${IMAGE}"], "spec-is-reference", 1],
  [["run", "acme/mcp:${VERSION}"], "spec-is-reference", 1],
  [["run", "acme/mcp:$VERSION"], "spec-is-placeholder", 1],
  [["run", "{{OCI_IMAGE}}"], "spec-is-placeholder", 1],
  [["run", "Acme"], "image-name-invalid", 1],
  [["run", "acme/MCP"], "image-name-invalid", 1],
  [["run", "acme//mcp"], "image-name-invalid", 1],
  [["run", "/acme/mcp"], "image-name-invalid", 1],
  [["run", "acme/mcp/"], "image-name-invalid", 1],
  [["run", "./mcp"], "image-name-invalid", 1],
  [["run", "../mcp"], "image-name-invalid", 1],
  [["run", "acme mcp"], "image-name-invalid", 1],
  [["run", "https://ghcr.io/acme/mcp"], "image-name-invalid", 1],
  [["run", "acme/-mcp"], "image-name-invalid", 1],
  [["run", "acme/mcp;id"], "image-name-invalid", 1],
  [["run", "0123456789abcdef".repeat(4)], "image-name-invalid", 1],
  [["run", `a${"/a".repeat(128)}`], "image-name-invalid", 1],
  [["run", "a:/b"], "image-name-invalid", 1],
  [["run", "_ghcr.io/acme/mcp"], "image-name-invalid", 1],
  [["run", "ghcr.io:123456/acme/mcp"], "image-name-invalid", 1],
  [["run", "A/mcp"], "image-registry-private", 1],
  [["run", "%IMAGE%"], "spec-is-placeholder", 1],
  [["run", `acme/mcp@${digest}0`], "image-digest-invalid", 1],
  [["run", "acme/mcp:"], "image-tag-invalid", 1],
  [["run", "acme/mcp:-x"], "image-tag-invalid", 1],
  [["run", "acme/mcp:a/b:c d"], "image-name-invalid", 1],
  [["run", `acme/mcp:${"a".repeat(129)}`], "image-tag-invalid", 1],
  [["run", "acme/mcp@sha256:abc"], "image-digest-invalid", 1],
  [["run", `acme/mcp@${digest.toUpperCase()}`], "image-digest-invalid", 1],
  [["run", `acme/mcp@md5:${"a".repeat(32)}`], "image-digest-invalid", 1],
  [["run", `acme/mcp@${digest}@${digest}`], "image-digest-invalid", 1],
  [["run", "acme/mcp@latest"], "image-digest-invalid", 1],
  [["run", "169.254.169.254/acme/mcp"], "image-registry-private", 1],
  [["run", "10.0.0.1:5000/acme/mcp"], "image-registry-private", 1],
  [["run", "registry.local/acme/mcp"], "image-registry-private", 1],
  [["run", "localhost:5000/acme/mcp"], "image-registry-private", 1],
  [["run", "localhost/acme/mcp"], "image-registry-private", 1],
  [["run", "Acme/mcp"], "image-registry-private", 1],
  [["run", "registry:5000/acme/mcp"], "image-registry-private", 1],
];

describe("parseDockerArgs", () => {
  it.each(refusedOptions)("refuses %j as %s", (options, reason) => {
    const check = parseDockerArgs(["run", "-i", ...options, image], { volumeRoots: ["/data"] });
    expect(check).toMatchObject({ ok: false, reason });
    const index = "index" in check ? check.index : undefined;
    expect([2, 3]).toContain(index);
  });

  it.each(refusedForms)("refuses %j as %s", (args, reason, index) => {
    const check = parseDockerArgs(args);
    expect(check).toMatchObject({ ok: false, reason });
    expect("index" in check ? check.index : undefined).toBe(index);
  });

  it("reads options in any order, and leaves the container's arguments alone", () => {
    const args = [
      "run",
      "--rm",
      "-e",
      "TOKEN",
      "--env",
      "MODE=a=b",
      "--init",
      "-v",
      "/data/in:/in:ro",
      "--interactive",
      "--env=URL=${URL}",
      image,
      "stdio",
      "-t",
      "--privileged",
    ];
    expect(parseDockerArgs(args, { volumeRoots: ["/data/"] })).toEqual({
      ok: true,
      value: {
        runner: "docker",
        package: "ghcr.io/acme/mcp",
        version: "1.2.3",
        pinned: false,
        tag: "1.2.3",
        digest: null,
        bin: null,
        args: ["stdio", "-t", "--privileged"],
        packageIndex: 11,
        interactive: true,
        remove: true,
        init: true,
        envNames: ["TOKEN"],
        envValues: { MODE: "a=b", URL: "${URL}" },
        volumes: [{ source: "/data/in", target: "/in", readOnly: true }],
        ignored: [],
      },
    });
  });

  it("takes options that change nothing, and tells them", () => {
    const args = [
      "run",
      "--name",
      "x_1.y-z",
      "--network=bridge",
      "-i",
      "--net",
      "bridge",
      "a",
      "-i",
    ];
    expect(parseDockerArgs(args)).toMatchObject({
      ok: true,
      value: {
        package: "a",
        args: ["-i"],
        interactive: true,
        ignored: ["--name", "--network", "--net"],
      },
    });
    expect(parseDockerArgs(["run", "--name", "x", "--privileged", "a"])).toMatchObject({
      reason: "option-not-allowed",
      index: 3,
    });
  });

  it("reads a bind mount as a volume, in a folder of the policy alone", () => {
    const args = ["run", "--mount", "type=bind,src=/data/x,dst=/x,ro", "a"];
    expect(parseDockerArgs(args, { volumeRoots: ["/data"] })).toMatchObject({
      value: { volumes: [{ source: "/data/x", target: "/x", readOnly: true }] },
    });
    expect(parseDockerArgs(args)).toMatchObject({ reason: "volume-outside-roots", index: 2 });
    expect(parseDockerArgs(["run", "--mount=type=tmpfs,dst=/x", "a"])).toMatchObject({
      reason: "volume-invalid",
      index: 1,
    });
  });

  it.each([
    ["-i", { interactive: true, remove: false, init: false }],
    ["--interactive", { interactive: true, remove: false, init: false }],
    ["--rm", { interactive: false, remove: true, init: false }],
    ["--init", { interactive: false, remove: false, init: true }],
  ])("reads %s alone", (flag, value) => {
    expect(parseDockerArgs(["run", flag, "x"])).toMatchObject({ ok: true, value });
  });

  it("tells a missing -i and --rm in the value, not as a refusal (case 33)", () => {
    expect(parseDockerArgs(["run", "mcp/time"])).toMatchObject({
      ok: true,
      value: { interactive: false, remove: false, version: null, pinned: false },
    });
  });

  it("takes the digest for the version, whatever the tag", () => {
    expect(parseDockerArgs(["run", "-i", `acme/mcp:1.2@${digest}`])).toMatchObject({
      value: { package: "acme/mcp", version: digest, tag: "1.2", digest, pinned: true },
    });
  });

  it("lets the last -e of one name count", () => {
    expect(
      parseDockerArgs(["run", "-e", "A=1", "-e", "B", "-e", "A", "-e", "B=2", "x"]),
    ).toMatchObject({
      value: { envNames: ["A"], envValues: { B: "2" } },
    });
  });

  it.each([
    "mcp/time",
    "docker.io/library/x",
    "docker.elastic.co/mcp/elasticsearch",
    "ghcr.io:443/a/b__c/d-e--f.g",
    "r.example.com:5000/x:V_1.2",
  ])("takes the image %s", (name) => {
    expect(parseDockerArgs(["run", name])).toMatchObject({ ok: true });
  });

  it("takes a registry on loopback in development alone", () => {
    for (const registry of ["localhost:5000", "127.0.0.1:5000"]) {
      expect(parseDockerArgs(["run", `${registry}/mcp`], { development: true }).ok).toBe(true);
      expect(parseDockerArgs(["run", `${registry}/mcp`]).ok).toBe(false);
    }
    expect(parseDockerArgs(["run", "10.0.0.1:5000/mcp"], { development: true }).ok).toBe(false);
  });

  it("lets policy set a name free that it may set free", () => {
    const args = ["run", "-e", "AWS_PROFILE=x", "mcp/aws"];
    expect(parseDockerArgs(args)).toMatchObject({ reason: "env-name-reserved" });
    expect(parseDockerArgs(args, { optIn: ["AWS_PROFILE"] }).ok).toBe(true);
  });
});

it.each([
  "localhosts",
  "acme-mcp",
  "acme/mcp-server_one__two.three",
  `x${"0123456789abcdef".repeat(4)}`,
  `${"0123456789abcdef".repeat(4)}x`,
  `a${"/a".repeat(127)}`,
])("takes the image %s", (name) => {
  expect(parseDockerArgs(["run", name])).toMatchObject({ ok: true, value: { package: name } });
});

it("refuses an image of ten thousand characters", () => {
  expect(parseDockerArgs(["run", `a${"/a".repeat(5000)}`])).toMatchObject({
    reason: "image-name-invalid",
    index: 1,
  });
});

describe("checkBareEnvNames", () => {
  const launch = () => parsed(["run", "-e", "TOKEN", "-e", "MODE=x", "-e", "URL", "mcp/x"]);

  it("refuses bare names that the config's env does not have (case 29)", () => {
    expect(checkBareEnvNames(launch(), { TOKEN: "x" })).toMatchObject({
      reason: "env-not-declared",
      message: "docker run -e names URL, which the server's env does not have.",
    });
    expect(checkBareEnvNames(launch(), {})).toMatchObject({
      message: "docker run -e names TOKEN, URL, which the server's env does not have.",
      hint: "Add the names to `env`; nothing is taken from the environment of the host.",
    });
  });

  it("passes when every bare name is declared", () => {
    const value = launch();
    expect(checkBareEnvNames(value, { TOKEN: "x", URL: "" })).toEqual({ ok: true, value });
  });

  it("takes no inherited property for a declared name", () => {
    expect(checkBareEnvNames(parsed(["run", "-e", "constructor", "x"]), {}).ok).toBe(false);
  });
});

function parsed(args: string[]): DockerLaunch {
  const check = parseDockerArgs(args);
  if (!check.ok) throw new TypeError(check.message);
  return check.value;
}
