import { describe, expect, it } from "vitest";
import { checkLaunch } from "../../../../functions/host/launch/check-launch.ts";
import { runRequest } from "../../../support/run-request.ts";

const launch = (changes: Partial<ReturnType<typeof runRequest>["launch"]>) =>
  runRequest(null, { launch: changes }).launch;

describe("checkLaunch", () => {
  it.each([
    { package: "@scope/name", version: "1.2.3" },
    { package: "name", version: null },
    { package: "name", version: "next" },
    { package: "name", version: "1.0.0", bin: "server" },
    { env: { API_URL: "x" }, secret_env: { TOKEN: "y" } },
    { args: ["-c", "rm -rf /", "--call=x"] },
  ])("takes %j", (changes) => {
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
  ])("refuses %s", (_what, changes) => {
    expect(() => checkLaunch(launch(changes))).toThrow(
      expect.objectContaining({ code: "LAUNCH_NOT_ALLOWED" }),
    );
  });
});
