import { describe, expect, it } from "vitest";
import { developmentDeployment } from "../../../../infra/start/deployment.ts";
import { sha256Hex } from "../../../../shared/api/api-key.ts";
import { deploymentSchema } from "../../../../shared/config/deployment.ts";
import { serverConfigSchema } from "../../../../shared/config/server-config.ts";

const server = (name: string, description: string) =>
  serverConfigSchema.parse({ name, description, type: "mcp", command: "npx" });

const file = deploymentSchema.parse({
  mode: "development",
  version: "1.0",
  tenants: [
    { id: "other", mcp_servers: [server("a", "other's")] },
    { id: "dev", mcp_servers: [server("a", "old"), server("b", "kept")] },
  ],
});

describe("the deployment of npm start", () => {
  it("holds the development key by its hash alone", async () => {
    const deployment = await developmentDeployment(file, "gw_dev_secret", null);
    expect(JSON.stringify(deployment)).not.toContain("gw_dev_secret");
    const dev = deployment.tenants.find(({ id }) => id === "dev");
    expect(dev?.keys).toEqual([
      expect.objectContaining({ id: "devkey", sha256: await sha256Hex("gw_dev_secret") }),
    ]);
    expect(deployment.tenants.find(({ id }) => id === "other")?.keys).toEqual([]);
  });

  it("gives a config's servers and env files to the development tenant, a nearer name wins, even one with errors", async () => {
    const config = {
      file: "agent.yaml",
      servers: [server("a", "new")],
      unusable: [{ name: "b", findings: [] }],
      envFiles: { ".env": "A=1" },
      notes: [],
    };
    const { tenants } = await developmentDeployment(file, "key", config);
    const dev = tenants.find(({ id }) => id === "dev");
    expect(dev?.mcp_servers.map(({ name, description }) => [name, description])).toEqual([
      ["a", "new"],
    ]);
    expect(dev?.unusable).toEqual(config.unusable);
    expect(dev?.env_files).toEqual({ ".env": "A=1" });
    expect(tenants.find(({ id }) => id === "other")?.mcp_servers[0]?.description).toBe("other's");
  });

  it("makes the tenant where the file has none", async () => {
    const empty = deploymentSchema.parse({ mode: "development", version: "1.0" });
    const { tenants } = await developmentDeployment(empty, "key", null);
    expect(tenants.map(({ id }) => id)).toEqual(["dev"]);
  });
});
