import { describe, expect, it } from "vitest";
import {
  describeLaunch,
  packageKey,
  packageSpec,
  parseLaunch,
  type ParsedLaunch,
} from "../../../../shared/policy/launch.ts";
import { checkPinned } from "../../../../shared/policy/pinning.ts";

const digest = `sha256:${"ab".repeat(32)}`;

describe("parseLaunch", () => {
  it.each([
    "node",
    "python",
    "sh",
    "bash",
    "bun",
    "deno",
    "uv",
    "cmd",
    "",
    "npx ",
    "NPX",
    "npx\0",
    "npx -y",
    "/usr/bin/npx",
    "./npx",
    "npx.cmd",
    "${RUNNER}",
    "docker-compose",
    "__proto__",
    "constructor",
  ])("refuses the command %j", (command) => {
    expect(parseLaunch(command, ["x"])).toMatchObject({ ok: false, reason: "command-not-allowed" });
  });

  it.each([
    ["/usr/local/bin/npx", "Write `npx` alone."],
    ["C:\\nodejs\\npx.cmd", "Write `npx` alone."],
    ["/opt/uvx", "Write `uvx` alone."],
    ["NPX.EXE", "Write `npx` alone."],
    ["np.exex", "Publish the server and start it by npx (npm), uvx (Python) or docker."],
    ["node", "Publish the server and start it by npx (npm), uvx (Python) or docker."],
  ])("tells what to write for %s", (command, hint) => {
    expect(parseLaunch(command, [])).toMatchObject({ hint });
  });

  it.each([
    ["npx", ["-y", "a", "x\0y"]],
    ["uvx", ["a", "ok", "\0"]],
    ["docker", ["run", "a", "\0"]],
  ])("refuses a NUL in the arguments of %s", (command, args) => {
    expect(parseLaunch(command, args)).toMatchObject({ reason: "argument-has-nul", index: 2 });
  });

  it.each([
    ["npx", ["-y", "a@1.0.0"], "npx"],
    ["uvx", ["a==1.0.0"], "uvx"],
    ["docker", ["run", "-i", "a"], "docker"],
  ])("reads the argv of %s by its own grammar", (command, args, runner) => {
    expect(parseLaunch(command, args)).toMatchObject({ ok: true, value: { runner, package: "a" } });
  });

  it("hands the rules on to docker", () => {
    const args = ["run", "-v", "/data/x:/x", "a"];
    expect(parseLaunch("docker", args).ok).toBe(false);
    expect(parseLaunch("docker", args, { volumeRoots: ["/data"] }).ok).toBe(true);
  });
});

describe("packageKey", () => {
  it.each([
    ["npx", ["@acme/mcp@1.0.0"], "npm:@acme/mcp"],
    ["npx", ["-p", "JSONStream", "x"], "npm:JSONStream"],
    ["uvx", ["Foo.Bar_baz[x]==1"], "pypi:foo-bar-baz"],
    ["docker", ["run", "alpine:3"], "docker:docker.io/library/alpine"],
    ["docker", ["run", "mcp/time"], "docker:docker.io/mcp/time"],
    ["docker", ["run", "docker.io/mcp/time"], "docker:docker.io/mcp/time"],
    ["docker", ["run", "index.docker.io/mcp/time"], "docker:docker.io/mcp/time"],
    ["docker", ["run", `GHCR.io/a/b@${digest}`], "docker:ghcr.io/a/b"],
  ])("gives %s %j one identity", (command, args, key) => {
    expect(packageKey(parsed(command, args))).toBe(key);
  });
});

describe("packageSpec", () => {
  it.each([
    ["npx", ["@acme/mcp@v1.0.0"], "@acme/mcp@1.0.0"],
    ["npx", ["@acme/mcp"], "@acme/mcp"],
    ["uvx", ["a[x,y]@1.0"], "a[x,y]==1.0"],
    ["uvx", ["a@latest"], "a@latest"],
    ["uvx", ["a"], "a"],
    ["docker", ["run", "a/b:1"], "a/b:1"],
    ["docker", ["run", `a/b:1@${digest}`], `a/b@${digest}`],
    ["docker", ["run", "a/b"], "a/b"],
  ])("writes the package of %s %j as %s", (command, args, spec) => {
    expect(packageSpec(parsed(command, args))).toBe(spec);
  });
});

describe("describeLaunch", () => {
  it("shows package, program and names of options, and no value (case 27)", () => {
    const args = [
      "-y",
      "-p",
      "@acme/mcp@1.0.0",
      "mcp",
      "start",
      "--api-key",
      "hunter2",
      "--url=postgres://u:hunter2@h/d",
      "-phunter2",
      "-x",
      "hunter2",
      "--hunter2!",
    ];
    const text = describeLaunch(parsed("npx", args));
    expect(text).toBe("npx @acme/mcp@1.0.0 mcp … --api-key … --url=… -p… -x … -…");
  });

  it("shows no value of docker's env", () => {
    const args = ["run", "-i", "-e", "TOKEN=hunter2", "a/b:1", "--mode", "hunter2"];
    expect(describeLaunch(parsed("docker", args))).toBe("docker run a/b:1 --mode …");
  });
});

describe("checkPinned", () => {
  it("says what is not pinned", () => {
    const message = (args: string[]) => checkPinned(parsed("npx", args));
    expect(message(["a"])).toMatchObject({ message: "The launch of a names no version." });
    expect(message(["a@latest"])).toMatchObject({
      message: "The launch of a names latest, which moves.",
    });
  });

  it.each([
    ["npx", ["a@1.2.3"]],
    ["uvx", ["a==1.2"]],
    ["uvx", ["a@1.2"]],
    ["docker", ["run", `a@${digest}`]],
  ])("passes %s %j", (command, args) => {
    const launch = parsed(command, args);
    expect(checkPinned(launch)).toEqual({ ok: true, value: launch });
  });

  it.each([
    ["npx", ["-y", "a"], 1],
    ["npx", ["-y", "a@latest"], 1],
    ["npx", ["--package=a@next", "a"], 0],
    ["uvx", ["a"], 0],
    ["uvx", ["--from", "a@latest", "b"], 1],
    ["docker", ["run", "-i", "a"], 2],
    ["docker", ["run", "-i", "a:1.2.3"], 2],
  ])("refuses %s %j, pointing at the package", (command, args, index) => {
    expect(checkPinned(parsed(command, args))).toMatchObject({ reason: "not-pinned", index });
  });

  it.each([
    ["npx", ["-y", "@acme/mcp@latest"], "2.0.1", "Write `@acme/mcp@2.0.1`."],
    ["uvx", ["a[x]"], "2.0.1", "Write `a[x]==2.0.1`."],
    ["docker", ["run", "a/b:1"], digest, `Write \`a/b@${digest}\`.`],
  ])("offers %s %j pinned to the version that is known", (command, args, newest, hint) => {
    expect(checkPinned(parsed(command, args), newest)).toMatchObject({ hint });
  });

  it.each([
    ["npx", ["@acme/mcp@latest"], "`npm view @acme/mcp@latest version`"],
    ["uvx", ["a"], "`a==1.2.3`"],
    ["docker", ["run", "a/b:1"], "`docker buildx imagetools inspect a/b:1`"],
  ])("tells where to find the version of %s %j", (command, args, part) => {
    expect(checkPinned(parsed(command, args))).toMatchObject({
      hint: expect.stringContaining(part),
    });
  });
});

function parsed(command: string, args: string[]): ParsedLaunch {
  const check = parseLaunch(command, args);
  if (!check.ok) throw new TypeError(check.message);
  return check.value;
}
