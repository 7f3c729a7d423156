import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { until } from "../../support/host-processes.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";

let registry: NpmRegistry;
let gangway: Gangway;
let folder: string;
let observed: string;

const server = (name: string, more: Record<string, unknown> = {}) => ({
  name: name.replace("-", "_"),
  type: "mcp",
  description: "A server of the test.",
  command: "npx",
  args: ["-y", "-p", "@fixture/stdio@1.0.0", name],
  ...more,
});

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-stopped-"));
  await chmod(folder, 0o777); // The server may run under a user of its own.
  observed = join(folder, "observed");
  registry = await startNpmRegistry([stdioFixtures()]);
  const variable = { MCP_CONFIG: "${OTHER}" };
  gangway = await startGangway({
    registry: registry.url,
    vars: { GW_SECRET_OTHER: "not-the-config" },
    servers: [
      server("echo"),
      server("hang"),
      server("features", { env: { TOKEN: "none-of-it", OBSERVED: observed } }),
      server("env-printer", { env: variable, config: { depth: 3 } }),
    ],
  });
  await gangway.post("/v1/tools/call", { server: "hang", tool: "cancellations" });
}, 90_000);

afterEach(() => process.kill(gangway.host.pid, "SIGCONT"));

afterAll(async () => {
  await gangway.close();
  await registry.close();
  await rm(folder, { recursive: true });
});

describe("a host that stands still", () => {
  it("is told within seconds when it does not take a run", async () => {
    process.kill(gangway.host.pid, "SIGSTOP");
    const call = { server: "echo", tool: "echo", options: { timeout_s: 2 } };
    const { status, body } = await gangway.post("/v1/tools/call", call);
    expect(status).toBe(502);
    expect(body).toMatchObject({
      error: { code: "HOST_UNAVAILABLE", executed: "no", retryable: true },
    });
  });

  it("does not hold a call beyond its time limit", async () => {
    const call = { server: "features", tool: "wait", options: { timeout_s: 3 } };
    const answer = gangway.post("/v1/tools/call", call);
    await until("the tool waits", () => existsSync(observed), 20_000);
    process.kill(gangway.host.pid, "SIGSTOP");
    const { status, body } = await answer;
    expect(status).toBe(504);
    expect(body).toMatchObject({ error: { code: "REQUEST_TIMEOUT", executed: "maybe" } });
  });
});

describe("a call to a stdio server", () => {
  it("may have a time limit that is no whole number of milliseconds", async () => {
    const call = { server: "hang", tool: "cancellations", options: { timeout_s: 20.0101 } };
    expect((await gangway.post("/v1/tools/call", call)).body).toMatchObject({ success: true });
  });

  it("hands `config` over although `env` sets MCP_CONFIG to a secret", async () => {
    const call = { server: "env_printer", tool: "surroundings" };
    const { body } = await gangway.post("/v1/tools/call", call);
    const [{ text }] = body["content"] as [{ text: string }];
    expect(JSON.parse(text).env.MCP_CONFIG).toBe('{"depth":3}');
  });
});
