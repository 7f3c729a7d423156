import { describe, expect, it } from "vitest";
import { parseLaunch } from "../../../../shared/policy/launch.ts";
import {
  packageListed,
  packageRevoked,
  parsePackagePattern,
} from "../../../../shared/policy/package-lists.ts";

const digest = `sha256:${"a".repeat(64)}`;

function launch(command: string, ...args: string[]) {
  const read = parseLaunch(command, args);
  if (!read.ok) throw new TypeError(read.message);
  return read.value;
}

function pattern(text: string) {
  const read = parsePackagePattern(text);
  if (!read.ok) throw new TypeError(read.message);
  return read.value;
}

describe("a list of packages", () => {
  it.each([
    "npm:*",
    "npm:server-*",
    "npm:@*",
    "npm:@scope*",
    "npm:@*/name",
    "npm:@scope/*/x",
    "npm:@scope/a*b",
    "pypi:*",
    "npm:@scope/a@1*",
    "pypi:mcp-*",
    "docker:*",
    "docker:ghcr.io/*",
    "docker:ghcr.io*",
    "docker:name*",
    "npm:foo@latest",
    "npm:foo@^1.0.0",
    "npm:../x",
    "npm:a@npm:b@1.0.0",
    "npm:https://evil.test/x.tgz",
    "pypi:mcp[extra]",
    "docker:image:latest",
    "docker:10.0.0.1/owner/x",
    "docker:-v/*",
    "gem:foo",
    "foo",
    "npm:",
    "",
    "__proto__:x",
  ])("refuses the entry '%s'", (text) => {
    expect(parsePackagePattern(text)).toMatchObject({ ok: false, reason: "package-entry-invalid" });
  });

  it.each<[string, string[], boolean]>([
    ["npm:@scope/*", ["npx", "-y", "@scope/server@1.0.0"], true],
    ["npm:@scope/server-*", ["npx", "-y", "@scope/server-a"], true],
    ["npm:@scope/server-*", ["npx", "-y", "@scope/other"], false],
    ["npm:@scope/server-*", ["npx", "-y", "@scope/server-"], false],
    ["npm:@scope/*", ["npx", "-y", "@scope-evil/server"], false],
    ["npm:@scope/*", ["npx", "-y", "@scopeevil/server"], false],
    ["npm:@scope/*", ["npx", "-y", "-p", "@scope/server@1.0.0", "bin"], true],
    ["npm:@scope/server", ["npx", "-y", "-p", "evil@1.0.0", "server"], false],
    ["npm:name", ["npx", "name@2.0.0"], true],
    ["npm:name", ["npx", "names"], false],
    ["npm:name", ["uvx", "name"], false],
    ["npm:name@1.0.0", ["npx", "name@1.0.0"], true],
    ["npm:name@1.0.0", ["npx", "name@1.0.1"], false],
    ["npm:name@1.0.0", ["npx", "name"], false],
    ["pypi:mcp-server.time", ["uvx", "MCP_server-time==1.0"], true],
    ["pypi:clock", ["uvx", "--from", "evil==1.0", "clock"], false],
    ["docker:mcp/*", ["docker", "run", "-i", "mcp/time"], true],
    ["docker:mcp/*", ["docker", "run", "-i", "docker.io/mcp/time:1"], true],
    ["docker:mcp/*", ["docker", "run", "-i", "ghcr.io/mcp/time"], false],
    ["docker:ghcr.io/owner/*", ["docker", "run", `ghcr.io/owner/a/b@${digest}`], true],
    ["docker:ghcr.io/owner/*", ["docker", "run", "ghcr.io/owner2/a"], false],
    ["docker:index.docker.io/mcp/*", ["docker", "run", "mcp/time"], true],
    [`docker:mcp/time@${digest}`, ["docker", "run", `mcp/time@${digest}`], true],
    [`docker:mcp/time@${digest}`, ["docker", "run", "mcp/time"], false],
    ["docker:alpine", ["docker", "run", "docker.io/library/alpine"], true],
  ])("%s and %o: %s", (entry, [command = "", ...args], expected) => {
    expect(packageListed(launch(command, ...args), [pattern(entry)])).toBe(expected);
  });

  it("holds nothing while it is empty", () => {
    expect(packageListed(launch("npx", "name"), [])).toBe(false);
  });

  it("revokes one version, and launches that could be of it", () => {
    const revoked = [pattern("npm:name@1.0.0"), pattern("pypi:unlike")];
    expect(packageRevoked(launch("npx", "name@1.0.0"), revoked)).toBe(true);
    expect(packageRevoked(launch("npx", "name"), revoked)).toBe(true);
    expect(packageRevoked(launch("npx", "name@latest"), revoked)).toBe(true);
    expect(packageRevoked(launch("npx", "name@1.0.1"), revoked)).toBe(false);
    expect(packageRevoked(launch("npx", "other"), revoked)).toBe(false);
  });
});
