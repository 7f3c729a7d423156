import { describe, expect, it } from "vitest";
import { checkLaunch } from "../../../../functions/host/launch/check-launch.ts";
import { runRequest } from "../../../support/run-request.ts";

type Changes = Partial<ReturnType<typeof runRequest>["launch"]>;

const launch = (changes: Changes) => runRequest(null, { launch: changes }).launch;

describe("checkLaunch", () => {
  it.each([
    { package: "@scope/name", version: "1.2.3" },
    { package: "name", version: null },
    { package: "name", version: "next" },
    { package: "name", version: "1.0.0", bin: "server" },
    { env: { API_URL: "x" }, secret_env: { TOKEN: "y" } },
    { args: ["-c", "rm -rf /", "--call=x"] },
    { runner: "uvx", package: "mcp-server-time", version: "2025.9.25" },
    { runner: "uvx", package: "name", version: "latest", extras: ["cli", "ws"] },
    { runner: "uvx", package: "name", version: null, bin: "server" },
    { runner: "docker", package: "mcp/time", version: null },
    { runner: "docker", package: "ghcr.io/owner/name", version: "1.2" },
    { runner: "docker", package: "owner/name", version: `sha256:${"0".repeat(64)}` },
    { runner: "docker", package: "owner/name", version: null, args: ["--privileged"] },
  ] satisfies Changes[])("takes %j", (changes) => {
    expect(() => checkLaunch(launch(changes))).not.toThrow();
  });

  it.each([
    ["an alias", { package: "good@npm:evil", version: "1.0.0" }],
    ["an alias as version", { package: "good", version: "npm:evil" }],
    ["a path", { package: "./evil", version: null }],
    ["a URL", { package: "https://evil.example/x.tgz", version: null }],
    ["a repository", { package: "user/repo", version: null }],
    ["an option", { package: "--call=x", version: null }],
    ["a version inside the name", { package: "name@1.0.0", version: null }],
    ["a range", { package: "name", version: "^1.0.0" }],
    ["a shell as program", { bin: "sh" }],
    ["a path as program", { bin: "../../evil" }],
    ["a reserved variable", { env: { NODE_OPTIONS: "--require /evil" } }],
    [
      "a reserved variable among the secrets, in any case",
      { secret_env: { ld_preload: "/evil.so" } },
    ],
    ["npm's own settings", { env: { npm_config_registry: "https://evil.example" } }],
    ["a range of a Python package", { runner: "uvx", package: "name", version: ">=1" }],
    [
      "a Python package's URL",
      { runner: "uvx", package: "git+https://evil.example/x", version: null },
    ],
    [
      "an option as an extra",
      { runner: "uvx", package: "name", version: null, extras: ["--with"] },
    ],
    ["extras inside a name", { runner: "uvx", package: "name[extra]", version: "1.0" }],
    ["extras of an npm package", { extras: ["cli"] }],
    ["an interpreter as Python program", { runner: "uvx", package: "name", bin: "python3.12" }],
    ["a uv option", { runner: "uvx", package: "--index-url=https://evil.example", version: null }],
    ["a docker option", { runner: "docker", package: "--privileged", version: null }],
    ["a docker option beside the image", { runner: "docker", package: "-v", version: "/:/host" }],
    ["a tag inside an image's name", { runner: "docker", package: "owner/name:1", version: null }],
    [
      "a digest in a tag",
      { runner: "docker", package: "owner/name", version: `1@sha256:${"0".repeat(64)}` },
    ],
    ["a registry on a private address", { runner: "docker", package: "10.0.0.1/x", version: null }],
    [
      "a program of an image",
      { runner: "docker", package: "owner/name", version: null, bin: "sh" },
    ],
    [
      "the engine's address",
      {
        runner: "docker",
        package: "a/b",
        version: null,
        env: { docker_host: "tcp://evil.example:2375" },
      },
    ],
  ] satisfies [string, Changes][])("refuses %s", (_what, changes) => {
    expect(() => checkLaunch(launch(changes))).toThrow(
      expect.objectContaining({ code: "LAUNCH_NOT_ALLOWED" }),
    );
  });
});
