import { describe, expect, it } from "vitest";
import { readDeployment } from "../../../../shared/config/read-deployment.ts";
import { readConfig } from "../../../../shared/config/read-config.ts";
import { tenantPolicy } from "../../../../shared/config/tenant-policy.ts";
import { findApproval, type LaunchFields } from "../../../../shared/policy/approved-launches.ts";
import { approve } from "../../../../shared/policy/approve.ts";

const config = `tools:
  - name: slack
    type: mcp
    description: Slack.
    command: npx
    args: [-y, "@acme/slack-mcp@1.4.2", "--note", "a: 'b' #c"]
    env: { SLACK_BOT_TOKEN: "\${SLACK_BOT_TOKEN}", NOTE: "yes", LITERAL: "$\${X}" }
    config: { depth: 1 }
`;

function slack() {
  const [server] = readConfig({ text: config }).servers;
  if (server?.config == null) throw new TypeError("the config has no usable server");
  return server.config;
}

describe("approve", () => {
  it("writes an entry that a deployment file takes, and that approves exactly this launch", () => {
    const entry = approve(slack());
    if (!entry.ok) throw new TypeError(entry.message);
    const launches = entry.value.replace(/^/gm, "      ");
    const text = `version: "1.0"\ntenants:\n  - id: acme\n    approved_launches:\n${launches}\n`;
    const { deployment, findings } = readDeployment(text, { mode: "production" });
    expect(findings).toEqual([]);
    if (deployment === null) throw new TypeError("the deployment cannot be used");
    const { secrets } = tenantPolicy(deployment, "acme");
    expect(findApproval(slack(), secrets?.approvals ?? [])).toBeDefined();
    expect(
      findApproval({ ...slack(), args: ["-y", "@acme/slack-mcp@1.4.2"] }, secrets?.approvals ?? []),
    ).toBeUndefined();
  });

  it("writes what the launch has, and nothing else", () => {
    const plain: LaunchFields = {
      command: "npx",
      args: ["-y", "a@1.0.0"],
      env: {},
      env_file: undefined,
      config: undefined,
      encoding: "utf-8",
    };
    const entry = (more: Partial<LaunchFields>) => {
      const written = approve({ ...plain, ...more });
      return written.ok ? written.value : written.message;
    };
    const head = "- command: npx\n  args:\n    - -y\n    - a@1.0.0\n";
    expect(entry({})).toBe(head);
    expect(entry({ encoding: "latin1" })).toBe(`${head}  encoding: latin1\n`);
    expect(entry({ config: { depth: 1 } })).toBe(`${head}  config:\n    depth: 1\n`);
    const text = "word ".repeat(40).trim();
    expect(entry({ env: { A: "${A}", B: text } })).toBe(
      `${head}  env:\n    A: \${A}\n    B: ${text}\n`,
    );
  });

  it("refuses what cannot be approved", () => {
    const moving = { ...slack(), args: ["-y", "@acme/slack-mcp"] };
    expect(approve(moving)).toMatchObject({ ok: false, reason: "not-pinned" });
    expect(approve({ ...slack(), env_file: ".env" })).toMatchObject({
      reason: "launch-has-env-file",
    });
  });
});
