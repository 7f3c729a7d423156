import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readDockerSettings } from "../../../../functions/host/launch/docker/docker-settings.ts";
import { resolveMounts } from "../../../../functions/host/launch/docker/resolve-mounts.ts";
import { imageText, runArgv } from "../../../../functions/host/launch/docker/run-argv.ts";
import { isPinned } from "../../../../shared/run-contract/is-pinned.ts";

const limits = { memoryMb: 512, cpuPercent: 50, processes: 64 };
const launch = {
  package: "owner/image",
  version: "1.0",
  args: ["--privileged", "x y"],
  env: { PLAIN: "plain value" },
  secret_env: { TOKEN: "s3cret" },
};

describe("runArgv", () => {
  const argv = runArgv({
    name: "gangway-1",
    labels: { "dev.gangway.instance": "7" },
    limits,
    mounts: [
      { source: "/data/a", target: "/a", readOnly: true },
      { source: "/data/b", target: "/b", readOnly: false },
    ],
    launch,
  });
  const image = argv.indexOf("owner/image:1.0");

  it("hardens and limits every container", () => {
    const text = argv.slice(0, image).join(" ");
    for (const part of [
      "run --rm -i --init --name gangway-1",
      "--security-opt no-new-privileges",
      "--cap-drop ALL",
      "--pids-limit 64",
      "--memory 512m --memory-swap 512m",
      "--cpus 0.50",
      "--network bridge",
      "--log-driver none",
      "--pull never",
    ])
      expect(text).toContain(part);
  });

  it("names variables and shows no value (cases 27, 29)", () => {
    expect(argv.join(" ")).toContain("-e PLAIN -e TOKEN owner/image:1.0");
    expect(argv.join(" ")).not.toMatch(/plain value|s3cret/);
  });

  it("leaves to the server what stands behind the image", () => {
    expect(argv.slice(image + 1)).toEqual(["--privileged", "x y"]);
    expect(argv.slice(0, image)).not.toContain("--privileged");
  });

  it("mounts folders, read-only where it is so written", () => {
    expect(argv).toContain("type=bind,source=/data/a,target=/a,readonly");
    expect(argv).toContain("type=bind,source=/data/b,target=/b");
  });
});

describe("imageText", () => {
  it.each([
    [null, "owner/image"],
    ["1.2", "owner/image:1.2"],
    [`sha256:${"a".repeat(64)}`, `owner/image@sha256:${"a".repeat(64)}`],
  ])("writes version %s as docker takes it", (version, text) => {
    expect(imageText({ package: "owner/image", version })).toBe(text);
  });
});

describe("isPinned", () => {
  it.each([
    ["npx", "1.2.3", true],
    ["npx", "next", false],
    ["uvx", "1.2", true],
    ["uvx", "latest", false],
    ["docker", "1.2.3", false],
    ["docker", `sha256:${"a".repeat(64)}`, true],
    ["docker", null, false],
  ] as const)("of %s %s is %s", (runner, version, pinned) => {
    expect(isPinned({ runner, version })).toBe(pinned);
  });
});

describe("readDockerSettings", () => {
  it("has defaults, the machine's own engine among them", () => {
    expect(readDockerSettings({})).toEqual({
      cli: null,
      engine: "unix:///var/run/docker.sock",
      certificates: null,
      configFolder: null,
      pull: "missing",
      limits: { memoryMb: 1024, cpuPercent: 100, processes: 256 },
      volumeRoots: [],
    });
  });

  it("finds the docker command on PATH, and switches docker servers off", () => {
    const settings = readDockerSettings({
      PATH: "relative:/no/such/folder:/usr/bin",
      GANGWAY_HOST_DOCKER_CLI: process.execPath,
      GANGWAY_HOST_DOCKER_ENGINE: "none",
      GANGWAY_HOST_DOCKER_VOLUME_ROOTS: "/srv/a:/srv/b",
    });
    expect(settings).toMatchObject({
      cli: process.execPath,
      engine: null,
      volumeRoots: ["/srv/a", "/srv/b"],
    });
  });

  it.each([
    ["GANGWAY_HOST_DOCKER_ENGINE", "ssh://root@example"],
    ["GANGWAY_HOST_DOCKER_ENGINE", "tcp://user:secret@example:2376"],
    ["GANGWAY_HOST_DOCKER_ENGINE", "/var/run/docker.sock"],
    ["GANGWAY_HOST_DOCKER_CLI", "docker"],
    ["GANGWAY_HOST_DOCKER_CLI", "/no/such/file"],
    ["GANGWAY_HOST_DOCKER_PULL", "sometimes"],
    ["GANGWAY_HOST_DOCKER_MEMORY_MB", "1"],
    ["GANGWAY_HOST_DOCKER_CONFIG", "relative"],
    ["GANGWAY_HOST_DOCKER_CERTIFICATES", "relative"],
    ["GANGWAY_HOST_DOCKER_VOLUME_ROOTS", "/srv:relative"],
    ["GANGWAY_HOST_DOCKER_VOLUME_ROOTS", "/"],
    ["GANGWAY_HOST_DOCKER_VOLUME_ROOTS", "/srv/.."],
  ])("refuses %s=%s in one line that names it", (name, value) => {
    expect(() => readDockerSettings({ [name]: value })).toThrow(new RegExp(`^${name} [^\n]+$`));
  });
});

describe("resolveMounts", () => {
  let base: string;
  let root: string;
  beforeAll(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), "gangway-mounts-")));
    root = join(base, "root");
    await mkdir(join(root, "inside"), { recursive: true });
    await mkdir(join(base, "outside"));
    await symlink(join(base, "outside"), join(root, "escape"));
    await symlink(join(root, "inside"), join(root, "link"));
    await symlink(root, join(base, "alias"));
  });
  afterAll(() => rm(base, { recursive: true }));

  const resolve = (source: string, roots = [root]) =>
    resolveMounts([{ source, target: "/data", read_only: true }], roots);

  it("takes a folder below a root, its links resolved", async () => {
    const mount = { source: join(root, "inside"), target: "/data", readOnly: true };
    expect(await resolve(join(root, "inside"))).toEqual([mount]);
    expect(await resolve(join(root, "link"))).toEqual([mount]);
    expect(await resolve(join(base, "alias", "inside"), [join(base, "alias")])).toEqual([mount]);
  });

  it.each([
    ["no root", "inside", []],
    ["a link that leads out of the root", "escape", undefined],
    ["a folder beside the root", "../outside", undefined],
    ["a folder that is not there", "missing", undefined],
    ["a socket", "docker.sock", undefined],
  ])("refuses a volume with %s", async (_what, path, roots) => {
    await expect(resolve(`${root}/${path}`, roots)).rejects.toMatchObject({
      code: "LAUNCH_NOT_ALLOWED",
    });
  });
});
