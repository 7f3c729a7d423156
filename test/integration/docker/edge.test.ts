import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DockerEngine, startDockerEngine, whyNoEngine } from "../../support/docker-engine.ts";
import { fixtureImage, importFixtureImage } from "../../support/docker-images.ts";
import { commandOf } from "../../support/docker-run.ts";
import { type Gangway, startGangway } from "../../support/gangway.ts";

const noEngine = await whyNoEngine();
const image = `${fixtureImage.package}:${fixtureImage.version}`;

/** A server of the operator, with a stored secret that its container gets by name. */
const operators = {
  name: "contained",
  type: "mcp",
  command: "docker",
  args: [
    "run",
    "-i",
    "--rm",
    "-e",
    "TOKEN",
    "-e",
    "KEY=${STORED_KEY}",
    "-e",
    "MODE=fast",
    image,
    "probe",
  ],
  env: { TOKEN: "${STORED_TOKEN}", UNNAMED: "stays at home" },
  config: { level: 3 },
};

describe.skipIf(noEngine !== null)("docker servers through the whole product", () => {
  let engine: DockerEngine;
  let gangway: Gangway;

  beforeAll(async () => {
    engine = await startDockerEngine();
    await importFixtureImage(engine);
    gangway = await startGangway({
      servers: [operators],
      vars: { GW_SECRET_STORED_TOKEN: "canary-token-5d", GW_SECRET_STORED_KEY: "canary-key-77" },
      hostEnvironment: { GANGWAY_HOST_DOCKER_ENGINE: engine.host },
    });
  });
  afterAll(async () => {
    await gangway?.close();
    await engine?.close();
  });

  const call = (body: Record<string, unknown>) => gangway.post("/v1/tools/call", body);

  it("get the variables that -e names, secrets by name only, and answer with them masked (cases 27, 29)", async () => {
    const { status, body } = await call({ server: "contained", tool: "probe", arguments: {} });
    expect(body).toMatchObject({ success: true, metadata: { transport: "stdio" } });
    expect(status).toBe(200);
    const [block] = body["content"] as { text: string }[];
    const { env } = JSON.parse(block?.text ?? "{}");
    expect(env).toMatchObject({ TOKEN: expect.stringMatching(/^\*+|\[/), MODE: "fast" });
    expect(JSON.parse(env["MCP_CONFIG"])).toEqual({ level: 3 });
    expect(env).not.toHaveProperty("UNNAMED");
    expect(JSON.stringify(body)).not.toContain("canary");
    const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const shown = all.map((pid) => commandOf(Number(pid))).join("\n");
    expect(shown).toContain("-e TOKEN");
    expect(shown).not.toContain("canary");
  });

  it.each([
    ["a name that the config does not set", ["run", "-i", "-e", "PGPASSWORD", image]],
    ["a privilege", ["run", "-i", "--privileged", image]],
    ["a volume", ["run", "-i", "-v", "/:/host", image]],
    ["another engine", ["-H", "tcp://127.0.0.1:1", "run", "-i", image]],
  ])("are refused %s before anything starts (case 34)", async (_what, args) => {
    const before = await engine.containers();
    const config = { tools: [{ name: "sent", type: "mcp", command: "docker", args }] };
    const { status, body } = await call({ config, server: "sent", tool: "probe", arguments: {} });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).toMatchObject({ success: false, error: { executed: "no" } });
    expect(await engine.containers()).toEqual(before);
  });
});

describe("docker servers of a deployment whose host has no engine", () => {
  it("are answered with 501 and a remedy", async () => {
    const gangway = await startGangway({
      servers: [{ ...operators, env: {}, args: ["run", "-i", image, "probe"] }],
      hostEnvironment: { GANGWAY_HOST_DOCKER_ENGINE: "none" },
    });
    const request = { server: "contained", tool: "probe", arguments: {} };
    const { status, body } = await gangway.post("/v1/tools/call", request);
    expect(status).toBe(501);
    expect(body).toMatchObject({
      error: {
        code: "LAUNCHER_UNAVAILABLE",
        executed: "no",
        hint: expect.stringContaining("hosts"),
      },
    });
    await gangway.close();
  });
});
