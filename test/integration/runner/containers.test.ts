import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DockerEngine, startDockerEngine, whyNoEngine } from "../../support/docker-engine.ts";
import { buildImages, buildPrewarmed, hostImage } from "../../support/host-image.ts";
import { compose, readyLine, startAsInKubernetes } from "../../support/host-in-engine.ts";
import { until } from "../../support/host-processes.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";
import {
  callRequest,
  errorOf,
  eventsNamed,
  resultOf,
  runRequest,
} from "../../support/run-request.ts";
import { type RunnerGangway, startRunnerGangway } from "../../support/runner-gangway.ts";
import { readEvents } from "../../support/start-host.ts";

const noEngine = await whyNoEngine();
const run = promisify(execFile);

const echo = {
  name: "echo",
  type: "mcp",
  command: "npx",
  args: ["-y", "-p", "@fixture/stdio@1.0.0", "--", "echo"],
  share: "tenant",
};
const call = { server: "echo", tool: "echo", arguments: { text: "hi" } };
/** The shortest that the runner keeps a container for. */
const idleSeconds = 10;

/** What the engine must leave alone: the machine's own interfaces and firewall. */
async function machineNetwork(): Promise<string> {
  const commands = [
    ["ip", "-brief", "link"],
    ["iptables", "-S"],
    ["iptables", "-t", "nat", "-S"],
  ] as const;
  const told = commands.map(([program, ...args]) => run(program, args));
  return (await Promise.all(told)).map(({ stdout }) => stdout).join("\n");
}

describe.skipIf(noEngine !== null)("stdio servers behind the runner, in real containers", () => {
  let network: string;
  let engine: DockerEngine;
  let registry: NpmRegistry;
  let gangway: RunnerGangway;

  beforeAll(async () => {
    network = await machineNetwork();
    engine = await startDockerEngine();
    registry = await startNpmRegistry([stdioFixtures()]);
    await buildImages(engine);
    gangway = await startRunnerGangway(engine, {
      registry: registry.url,
      servers: [echo],
      moreTenants: ["globex"],
      tenant: { limits: { idle_seconds: idleSeconds } },
      runnerVars: { GANGWAY_RUNNER_INTERNET: "operator" },
    });
  }, 240_000);

  afterAll(async () => {
    await gangway?.close();
    await registry?.close();
    await engine?.close();
  }, 60_000);

  /** Waits until none of the hosts runs any more. */
  const asleep = (): Promise<void> =>
    until("every host sleeps", async () => (await gangway.hosts()).length === 0, 90_000);

  /** Hosts that run now and did not before; others may have gone to sleep meanwhile. */
  const newHosts = async (before: readonly string[]): Promise<string[]> =>
    (await gangway.hosts()).filter((name) => !before.includes(name));

  const newHost = async (before: readonly string[]): Promise<string> => {
    const hosts = await newHosts(before);
    expect(hosts).toHaveLength(1);
    return hosts.join("");
  };

  it("answer a call whose container has to start, and the next one from the warm process", async () => {
    const startedAt = performance.now();
    const cold = await gangway.post("acme", "/v1/tools/call", call);
    console.info(`cold call in a new container: ${Math.round(performance.now() - startedAt)} ms`);
    expect(cold.body).toMatchObject({
      success: true,
      content: [{ type: "text", text: '{"text":"hi"}' }],
      metadata: { transport: "stdio", warm: false },
    });
    const warm = await gangway.post("acme", "/v1/tools/call", call);
    expect(warm.body).toMatchObject({ success: true, metadata: { warm: true } });
    expect(await gangway.hosts()).toHaveLength(1);
  }, 180_000);

  it("run in an image that holds the host and little else", async () => {
    const size = Number(await engine.docker("image", "inspect", "-f", "{{.Size}}", hostImage));
    const layers = await engine.docker(
      "history",
      "--format",
      "{{.Size}}\t{{.CreatedBy}}",
      hostImage,
    );
    expect(size).toBeGreaterThan(0);
    const own = layers.split("\n").filter((line) => line.includes("COPY"));
    expect(own).toHaveLength(4);
    expect(own.join()).not.toMatch(/\d{2,}(?:\.\d+)?MB\tCOPY (?:shared|functions)|\dGB/);
    const program = [
      "sh",
      "-c",
      "ls node_modules | wc -l; ls node_modules/typescript node_modules/wrangler",
    ];
    const listed = engine.docker(
      "run",
      "--rm",
      "--entrypoint",
      program[0] ?? "",
      hostImage,
      ...program.slice(1),
    );
    await expect(listed).rejects.toThrow("No such file");
  });

  it("have packages from the start that their image was built with", async () => {
    await buildPrewarmed(engine, "gangway-host:prewarmed", "npm:@fixture/stdio@1.0.0");
    const shown = ["--entrypoint", "find", "gangway-host:prewarmed", "/opt/gangway/seed"];
    const found = await engine.docker("run", "--rm", ...shown, "-name", "echo.mjs");
    expect(found).toContain("/opt/gangway/seed/");
  }, 180_000);

  it("have a host in production where Compose starts it, one for each tenant", async () => {
    await compose(engine, "initech", "up", "--detach");
    const ready = await readyLine(engine, "gangway-initech-host-1");
    expect(ready).toMatchObject({ development: false });
    await compose(engine, "initech", "down", "--volumes");
    await expect(compose(engine, "", "config")).rejects.toThrow("the id of the tenant");
  }, 180_000);

  it("have one under the rights that Kubernetes gives it, on folders that are its own", async () => {
    await startAsInKubernetes(engine, "in-kubernetes");
    expect(await readyLine(engine, "in-kubernetes")).toMatchObject({ development: false });
    const modes = ["stat", "-c", "%a", "/var/lib/gangway", "/var/lib/gangway/data", "/tmp"];
    const found = await engine.docker("exec", "in-kubernetes", ...modes);
    expect(found.split("\n")).toEqual(["711", "711", "1777"]);
    await engine.docker("rm", "--force", "in-kubernetes");
  }, 180_000);

  it("run under a host of their tenant alone, and what a request brings under another one", async () => {
    const before = await gangway.hosts();
    expect((await gangway.post("globex", "/v1/tools/call", call)).status).toBe(200);
    const globex = await newHost(before);
    expect(await gangway.internet(globex)).toEqual({ enabled: true });

    const config = { tools: [{ ...echo, name: "sent" }] };
    const submitted = await gangway.post("globex", "/v1/tools/call", {
      ...call,
      config,
      server: "sent",
    });
    expect(submitted.body).toMatchObject({ success: true, metadata: { source: "submitted" } });
    const other = await newHost([...before, globex]);
    expect(await gangway.internet(other)).toEqual({ enabled: false });
    expect([globex, other].join()).not.toContain("globex-");
  }, 180_000);

  it("are cancelled when the caller goes away", async () => {
    const hang = callRequest("hang", "hang");
    const broken = await gangway.run(hang, { breakAt: '"event":"sent"' });
    expect(await broken.text()).toBe("broken off");
    const cancellations = async () => {
      const answer = await gangway.run(callRequest("hang", "cancellations"));
      return JSON.stringify(resultOf(await readEvents(answer)).result["content"]);
    };
    await until(
      "the call is cancelled",
      async () => (await cancellations()).includes('"1"'),
      20_000,
    );
  }, 180_000);

  it("are cancelled by a request, wherever their run is, and no host is woken for it", async () => {
    const before = await gangway.hosts();
    const hang = callRequest("hang", "hang");
    const events: string[] = [];
    const running = readEvents(await gangway.run(hang), async ({ event }) => {
      events.push(event);
      if (event === "sent") events.push(JSON.stringify(await gangway.cancel(hang.request_id)));
    });
    expect(errorOf(await running)).toMatchObject({ code: "CANCELLED" });
    expect(events).toContain('{"cancelled":1}');
    expect(await gangway.cancel("no-such-run")).toEqual({ cancelled: 0 });
    expect(await newHosts(before)).toEqual([]);
  }, 180_000);

  it("are run for a ticket that is in order, and for no other", async () => {
    const before = await gangway.hosts();
    const request = runRequest("echo", { tenant: "nobody" });
    for (const ticket of ["", "no.such.ticket"]) {
      const refused = await gangway.run(request, { ticket });
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({
        error: { code: "TICKET_INVALID", executed: "no" },
      });
    }
    expect(await newHosts(before)).toEqual([]);
  });

  it("are reached by a call that comes while their host is being stopped", async () => {
    const own = await gangway.hosts();
    for (const host of own) await engine.docker("kill", "--signal", "TERM", host);
    const answer = await gangway.post("acme", "/v1/tools/call", call);
    expect(answer.body).toMatchObject({ success: true, metadata: { warm: false } });
  }, 180_000);

  it("are listed without a container once their list is known, and asked again on demand", async () => {
    const list = (subject: string, more: Record<string, unknown> = {}) =>
      gangway.post("acme", "/v1/tools/list", { options: { subject, ...more } });
    await asleep();
    const first = await list("ann");
    expect(first.body).toMatchObject({ success: true, servers: [{ ok: true, cached: false }] });
    await asleep();
    // The edge keeps a list for one subject alone; the runner for all that share the server.
    const kept = await list("bob");
    expect(kept.body).toMatchObject({ servers: [{ ok: true, cached: true }] });
    expect(kept.body["tools"]).toEqual(first.body["tools"]);
    expect(await gangway.hosts()).toEqual([]);
    const fresh = await list("bob", { refresh: true });
    expect(fresh.body).toMatchObject({ servers: [{ ok: true, cached: false }] });
    expect(await gangway.hosts()).toHaveLength(1);
  }, 240_000);

  it("are told as not run when their container does not start", async () => {
    const tags = await engine.docker("image", "ls", "--format", "{{.Repository}}:{{.Tag}}");
    const started = tags.split("\n").filter((tag) => tag.startsWith("cloudflare-dev/"));
    expect(started).toHaveLength(1);
    await engine.docker("image", "rm", "--force", ...started);
    const events = await readEvents(await gangway.run(runRequest("echo", { tenant: "late" })));
    // By its name, wrangler finds the containers that it ends.
    await engine.docker("tag", hostImage, ...started);
    expect(eventsNamed(events, "phase")).toMatchObject([{ phase: "container" }]);
    expect(errorOf(events)).toMatchObject({
      code: "HOST_UNAVAILABLE",
      executed: "no",
      retry_after_s: 10,
    });
  }, 180_000);

  it("leave nothing behind, on the machine nor in the engine", async () => {
    await gangway.close();
    expect(await gangway.hosts()).toEqual([]);
    await engine.close();
    expect(await machineNetwork()).toBe(network);
  }, 180_000);
});
