import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { killHost, serverCalls } from "../../support/cycles/killed-host.ts";
import { type DockerEngine, startDockerEngine, whyNoEngine } from "../../support/docker-engine.ts";
import { importFixtureImage } from "../../support/docker-images.ts";
import { dockerCall } from "../../support/docker-run.ts";
import { until } from "../../support/host-processes.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";
import { startHost } from "../../support/start-host.ts";

const noEngine = await whyNoEngine();

describe.skipIf(noEngine !== null)("kill -9 of a host that runs twenty servers", () => {
  let registry: NpmRegistry;
  let engine: DockerEngine;

  beforeAll(async () => {
    [registry, engine] = await Promise.all([
      startNpmRegistry([stdioFixtures()]),
      startDockerEngine(),
    ]);
    await importFixtureImage(engine);
  });
  afterAll(() => Promise.all([registry?.close(), engine?.close()]));

  it("leaves no process, no daemon, no container and no folder for longer than 5 s (cases 11, 12)", async () => {
    const host = await startHost({
      environment: {
        GANGWAY_HOST_NPM_REGISTRY: registry.url,
        GANGWAY_HOST_DOCKER_ENGINE: engine.host,
        GANGWAY_HOST_MAX_PROCESSES: "20",
      },
    });
    const containers = Array.from({ length: 5 }, (_, index) =>
      dockerCall(
        index % 2 === 0 ? "ignore-sigterm" : "hang",
        "hang",
        {},
        { pool_key: `c${index}` },
      ),
    );
    const noContainer = async () => (await engine.containers()).length === 0;
    const killed = await killHost(host, [...serverCalls(15), ...containers], async () => {
      expect(await engine.containers()).toHaveLength(containers.length);
    });
    expect(killed.processes.length).toBeGreaterThan(20);
    expect(killed.left).toEqual([]);
    expect(killed.goneMs).toBeLessThan(5_000);
    await until("no container is left", noContainer, 5_000 - (killed.goneMs ?? 5_000));
    await host.dispose();
  });
});
