import { deploymentSchema } from "../../../../../shared/config/deployment.ts";
import { tenantPolicy } from "../../../../../shared/config/tenant-policy.ts";
import { launch, remote, stdio, type RuleCase } from "./rule-case.ts";

const deployment = deploymentSchema.parse({
  mode: "production",
  version: "1.0",
  tenants: [
    {
      id: "acme",
      policy: { hosts: ["mcp.linear.app"], packages: ["npm:@acme/*"] },
      send_to: {
        LINEAR_TOKEN: ["https://mcp.linear.app/mcp"],
        QUERY_TOKEN: [{ url: "https://mcp.linear.app/mcp", allow_query: true }],
      },
      approved_launches: [
        { command: "npx", args: ["-y", "slack-mcp@1.4.2"], env: { TOKEN: "${TOKEN}" } },
      ],
    },
  ],
});
const options = {
  mode: "production",
  source: "submitted",
  policy: tenantPolicy(deployment, "acme"),
} as const;

const linear = "https://mcp.linear.app/mcp";
const bearer = (name: string) => `headers: { Authorization: "Bearer \${${name}}" }`;
const slack = 'command: npx\n    args: [-y, "slack-mcp@1.4.2"]';

/** What the policy of a tenant refuses; only told where one is given. */
export const policyCases: Readonly<Record<string, RuleCase | readonly RuleCase[]>> = {
  GW218: [
    {
      options,
      fires: launch("npx", '⟦[-y, "evil@1.0.0"]'),
      misses: launch("npx", '[-y, "@acme/tool@1.0.0"]'),
    },
    // Exact versions are asked for unless the policy says otherwise.
    {
      options,
      fires: launch("npx", '⟦[-y, "@acme/tool"]'),
      misses: launch("npx", '[-y, "@acme/tool@1.0.0"]'),
    },
    {
      options,
      fires: stdio('env: { TOKEN: "${TOKEN}", MORE: "1" }', slack.replace("[", "⟦[")),
      misses: stdio('env: { TOKEN: "${TOKEN}" }', slack),
    },
    {
      options,
      fires: launch("uvx", '⟦["tool==1.0.0"]'),
      misses: launch("npx", '["@acme/a@1.0.0"]'),
    },
    {
      options,
      fires: launch("npx", '⟦[-y, "evil@1.0.0"]'),
      misses: launch("npx", '[-y, "evil@1.0.0"]', "disabled: true"),
    },
  ],
  GW219: [
    {
      options,
      fires: stdio('env: { KEY: "${KEY}" }', 'command: npx\n    args: ⟦[-y, "@acme/tool@1.0.0"]'),
      misses: stdio('env: { KEY: "x" }', 'command: npx\n    args: [-y, "@acme/tool@1.0.0"]'),
    },
    {
      options,
      fires: stdio('env: { TOKEN: "${OTHER}" }', slack.replace("[", "⟦[")),
      misses: stdio('env: { TOKEN: "${TOKEN}" }', slack),
    },
    {
      options,
      fires: stdio('env: { KEY: "${KEY}" }', 'command: npx\n    args: ⟦[-y, "@acme/tool@1.0.0"]'),
      misses: stdio(
        'env: { KEY: "${KEY}" }\n    inputs: [KEY]',
        'command: npx\n    args: [-y, "@acme/tool@1.0.0"]',
      ),
    },
  ],
  GW311: [
    { options, fires: remote("⟦https://mcp.example.com/mcp"), misses: remote(linear) },
    { options, fires: remote("⟦https://x.mcp.linear.app/mcp"), misses: remote(linear) },
  ],
  GW418: [
    {
      options,
      fires: remote(linear, bearer("OTHER_TOKEN").replace("{ A", "⟦{ A")),
      misses: remote(linear, bearer("LINEAR_TOKEN")),
    },
    {
      options,
      fires: remote(`${linear}2`, bearer("LINEAR_TOKEN").replace("{ A", "⟦{ A")),
      misses: remote(`${linear}/2`, bearer("LINEAR_TOKEN")),
    },
    {
      options,
      fires: remote(`⟦"${linear}?k=\${LINEAR_TOKEN}"`),
      misses: remote(`"${linear}?k=\${QUERY_TOKEN}"`),
    },
    {
      options,
      fires: remote(linear, bearer("OTHER_TOKEN").replace("{ A", "⟦{ A")),
      misses: remote(linear, `${bearer("OTHER_TOKEN")}\n    inputs: [OTHER_TOKEN]`),
    },
  ],
};
