import { describe, expect, it } from "vitest";
import {
  canonicalLaunch,
  findApproval,
  type LaunchFields,
} from "../../../../shared/policy/approved-launches.ts";

const digest = `sha256:${"a".repeat(64)}`;

const slack: LaunchFields = {
  command: "npx",
  args: ["-y", "@acme/slack-mcp@1.4.2", "--team", "t1"],
  env: { SLACK_BOT_TOKEN: "${SLACK_BOT_TOKEN}", SLACK_API_URL: "https://slack.com/api" },
  env_file: undefined,
  config: undefined,
  encoding: "utf-8",
};

function canonical(fields: Partial<LaunchFields>): string {
  const read = canonicalLaunch({ ...slack, ...fields });
  if (!read.ok) throw new TypeError(read.message);
  return read.value;
}

const approvals = () => [{ canonical: canonical({}), inputs: [] }];

describe("an approved launch", () => {
  it.each<[string, Partial<LaunchFields>]>([
    ["as it was approved", {}],
    ["with --yes", { args: ["--yes", "@acme/slack-mcp@1.4.2", "--team", "t1"] }],
    ["with --", { args: ["-y", "--", "@acme/slack-mcp@1.4.2", "--team", "t1"] }],
    ["with v before the version", { args: ["-y", "@acme/slack-mcp@v1.4.2", "--team", "t1"] }],
    [
      "with its variables in another order",
      { env: { SLACK_API_URL: "https://slack.com/api", SLACK_BOT_TOKEN: "${SLACK_BOT_TOKEN}" } },
    ],
    ["with its encoding in capitals", { encoding: "UTF-8" }],
  ])("is found %s", (_, change) => {
    const known = approvals();
    expect(findApproval({ ...slack, ...change }, known)).toBe(known[0]);
  });

  it.each<[string, Partial<LaunchFields>]>([
    ["another version", { args: ["-y", "@acme/slack-mcp@1.4.3", "--team", "t1"] }],
    ["no version", { args: ["-y", "@acme/slack-mcp", "--team", "t1"] }],
    ["a tag", { args: ["-y", "@acme/slack-mcp@latest", "--team", "t1"] }],
    ["another package", { args: ["-y", "@acme/slack-mcpx@1.4.2", "--team", "t1"] }],
    [
      "a program of the package",
      { args: ["-y", "-p", "@acme/slack-mcp@1.4.2", "admin", "--team", "t1"] },
    ],
    ["another argument", { args: ["-y", "@acme/slack-mcp@1.4.2", "--team", "t2"] }],
    ["one argument more", { args: ["-y", "@acme/slack-mcp@1.4.2", "--team", "t1", "--debug"] }],
    ["two arguments in one", { args: ["-y", "@acme/slack-mcp@1.4.2", "--team t1"] }],
    ["another runner", { command: "uvx", args: ["slack-mcp==1.4.2", "--team", "t1"] }],
    [
      "one changed literal value",
      { env: { ...slack.env, SLACK_API_URL: "https://evil.test/api" } },
    ],
    ["one variable more", { env: { ...slack.env, DEBUG: "1" } }],
    ["one variable less", { env: { SLACK_BOT_TOKEN: "${SLACK_BOT_TOKEN}" } }],
    ["another secret", { env: { ...slack.env, SLACK_BOT_TOKEN: "${ADMIN_TOKEN}" } }],
    ["an escaped reference", { env: { ...slack.env, SLACK_BOT_TOKEN: "$${SLACK_BOT_TOKEN}" } }],
    ["a variable in other letters", { env: { ...slack.env, slack_api_url: "https://evil.test" } }],
    ["a reference in place of a literal", { env: { ...slack.env, SLACK_API_URL: "${URL}" } }],
    ["a config", { config: { apiUrl: "https://evil.test" } }],
    ["another encoding", { encoding: "latin1" }],
    ["an env file", { env_file: ".env" }],
  ])("is not found with %s", (_, change) => {
    expect(findApproval({ ...slack, ...change }, approvals())).toBeUndefined();
  });

  it.each<[string, Partial<LaunchFields>, string]>([
    ["a version that moves", { args: ["-y", "pkg"] }, "not-pinned"],
    ["a tag of an image", { command: "docker", args: ["run", "-i", "mcp/x:1"] }, "not-pinned"],
    ["a reference in args", { args: ["-y", "pkg@1.0.0", "${X}"] }, "args-hold-reference"],
    ["an env file", { env_file: ".env" }, "launch-has-env-file"],
    ["a remote server", { command: undefined }, "launch-is-remote"],
    ["an interpreter", { args: ["-y", "node@24.0.0"] }, "bin-is-interpreter"],
    ["an option that runs code", { args: ["-c", "id"] }, "option-not-allowed"],
  ])("cannot be of %s", (_, change, reason) => {
    expect(canonicalLaunch({ ...slack, ...change })).toMatchObject({ ok: false, reason });
  });

  it("compares config by content and not by the order of its keys", () => {
    expect(canonical({ config: { a: { x: 1, y: [2, 3] }, b: 1 } })).toBe(
      canonical({ config: { b: 1, a: { y: [2, 3], x: 1 } } }),
    );
    expect(canonical({ config: { a: [1, 2] } })).not.toBe(canonical({ config: { a: [2, 1] } }));
    expect(canonical({ config: { a: [1] } })).not.toBe(canonical({ config: { a: { 0: 1 } } }));
  });

  it("is written in one text, its keys in order", () => {
    expect(canonical({ env: { B: "2", A: "1" }, encoding: "UTF-8" })).toBe(
      '{"args":["--team","t1"],"bin":null,"config":null,"encoding":"utf-8",' +
        '"env":{"A":"1","B":"2"},"package":"npm:@acme/slack-mcp","runner":"npx","version":"1.4.2"}',
    );
  });

  it("compares images by their full names, and by all that is handed to the container", () => {
    const docker = (...args: string[]) => canonical({ command: "docker", args: ["run", ...args] });
    expect(docker("-i", `mcp/x@${digest}`)).toBe(docker("-i", "--rm", `docker.io/mcp/x@${digest}`));
    expect(docker("-e", "A", `mcp/x@${digest}`)).not.toBe(docker(`mcp/x@${digest}`));
    expect(docker("-e", "A", "-e", "B", `mcp/x@${digest}`)).toBe(
      docker("-e", "B", "-e", "A", `mcp/x@${digest}`),
    );
    expect(docker("-e", "A=1", `mcp/x@${digest}`)).not.toBe(docker("-e", "A=2", `mcp/x@${digest}`));
  });

  it("compares Python packages by their normal names and extras", () => {
    const uvx = (...args: string[]) => canonical({ command: "uvx", args });
    expect(uvx("My_Pkg[a,b]==1.0")).toBe(uvx("my-pkg[b,a]==1.0"));
    expect(uvx("my-pkg[a]==1.0")).not.toBe(uvx("my-pkg==1.0"));
  });
});
