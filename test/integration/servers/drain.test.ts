import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunEvent } from "../../../shared/run-contract/contract.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "../../support/npm-registry.ts";
import { descendants, survivors } from "../../support/process-tree.ts";
import { callRequest, errorOf, eventsNamed, textOf } from "../../support/run-request.ts";
import { readEvents, type StartedHost, startHost } from "../../support/start-host.ts";

const inFlight = 50;
const drainMs = 3_000;

let registry: NpmRegistry;

beforeAll(async () => {
  registry = await startNpmRegistry([stdioFixtures()]);
});
afterAll(() => registry.close());

const start = (deadlineMs = drainMs) =>
  startHost({
    environment: {
      GANGWAY_HOST_NPM_REGISTRY: registry.url,
      GANGWAY_HOST_DRAIN_MS: String(deadlineMs),
      GANGWAY_HOST_STOP_GRACE_MS: "200",
    },
  });

/** Ends the host by SIGTERM once the servers have all fifty calls; answers what became of them. */
async function endDuring(
  host: StartedHost,
  requestOf: (index: number) => ReturnType<typeof callRequest>,
) {
  let sent = 0;
  const allSent = Promise.withResolvers<void>();
  const runs = Array.from({ length: inFlight }, async (_, index) =>
    readEvents(await host.send(requestOf(index)), ({ event }) => {
      if (event === "sent" && (sent += 1) === inFlight) allSent.resolve();
    }),
  );
  await allSent.promise;
  const processes = descendants(host.pid);
  const endedAt = performance.now();
  const code = await host.end("SIGTERM");
  const ms = performance.now() - endedAt;
  return { runs: await Promise.all(runs), processes, code, ms };
}

const isAnswered = (events: readonly RunEvent[]) => eventsNamed(events, "result").length === 1;

describe("SIGTERM during fifty calls in flight", () => {
  it("lets those finish that can, and tells the others that they may have been executed", async () => {
    const host = await start();
    // Half of them take a second, half for ever; five processes of each kind.
    const { runs, processes, code, ms } = await endDuring(host, (index) => {
      const [bin, tool] =
        index % 2 === 0 ? (["progress", "steps"] as const) : (["hang", "hang"] as const);
      return callRequest(bin, tool, { count: 10 }, { pool_key: `${bin} ${index % 10}` });
    });
    const [answered, failed] = [runs.filter(isAnswered), runs.filter((one) => !isAnswered(one))];
    expect(answered.map(textOf)).toEqual(Array.from({ length: inFlight / 2 }, () => "10 steps"));
    expect(
      failed
        .map((events) => errorOf(events))
        .filter(({ code: name, executed }) => name === "PROCESS_EXITED" && executed === "maybe"),
    ).toHaveLength(inFlight / 2);
    expect(code).toBe(0);
    // The deadline, both steps of stopping, and a busy machine.
    expect(ms).toBeLessThan(drainMs + 5_000);
    expect(survivors(processes)).toEqual([]);
    expect(await readdir(join(host.dataDir, "instances"))).toEqual([]);
    await host.dispose();
  });

  it("ends at once when the last of them is answered, not at the deadline", async () => {
    const longMs = 20_000;
    const host = await start(longMs);
    const { runs, code, ms } = await endDuring(host, () =>
      callRequest("progress", "steps", { count: 5 }, { pool_key: "short" }),
    );
    expect(runs.filter(isAnswered)).toHaveLength(inFlight);
    expect(code).toBe(0);
    expect(ms).toBeLessThan(longMs);
    await host.dispose();
  });
});
