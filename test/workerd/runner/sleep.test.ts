import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readRunFacts } from "../../../functions/runner/run-facts.ts";
import type { Env } from "../../../functions/runner/settings.ts";
import { factsHeader, TenantHost } from "../../../functions/runner/tenant-host.ts";

// Only what decides about sleep: the storage stays real.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const settings = {
  GANGWAY_HOST_TICKET_KEY: '{"kty":"OKP","crv":"Ed25519","x":"abc"}',
  GANGWAY_RUNNER_NAME_KEY: "k".repeat(32),
};
const accepted = '{"event":"accepted","contract":1}\n';
const resultWith = (more: string) => `${accepted}{"event":"result","result":{"a":{}}${more}}\n`;
const result = resultWith("");

/** The platform's container, whose host answers each run with the next of `answers`. */
class StandInContainer {
  running = false;
  /** False: its host does not come up. */
  listens = true;
  readonly answers: BodyInit[] = [];
  #stopped: () => void = () => undefined;

  start(): void {
    this.running = true;
  }

  monitor(): Promise<void> {
    return new Promise((resolve) => (this.#stopped = resolve));
  }

  signal(): void {
    this.running = false;
    this.#stopped();
  }

  getTcpPort() {
    return {
      fetch: async (url: string) => {
        if (!this.listens) throw new TypeError("the container is not listening");
        return new Response(url.endsWith("/v1/run") ? (this.answers.shift() ?? result) : "ok");
      },
    };
  }
}

interface Runs {
  readonly limits?: { readonly idle_ms: number };
  readonly session?: { readonly id: string; readonly idle_ms: number };
  readonly operation?: { readonly method: string };
}

/** The runner's object as the platform drives it. */
class Driven {
  readonly container = new StandInContainer();
  readonly #state: DurableObjectState;
  #host: TenantHost;

  constructor(state: DurableObjectState) {
    Object.defineProperty(state, "container", { value: this.container, configurable: true });
    // What the library asks for where a container runs already.
    const exports = { ContainerProxy: () => ({}) };
    Object.defineProperty(state, "exports", { value: exports, configurable: true });
    // The test lets the alarms fire; the class whose storage this is has none.
    for (const name of ["setAlarm", "deleteAlarm"])
      Object.defineProperty(state.storage, name, { value: async () => undefined });
    this.#state = state;
    this.#host = this.#make();
  }

  /** The platform drops the object, and makes another one for the next event. */
  evict(): void {
    this.#host = this.#make();
  }

  async start(run: Runs): Promise<Response> {
    const whole = {
      tenant: "acme",
      pool_key: "k",
      protocol: "auto",
      launch: { runner: "npx", version: "1.0.0" },
      operation: { method: "tools/call" },
      limits: { idle_ms: 10_000 },
      ...run,
    };
    const body = new TextEncoder().encode(JSON.stringify(whole));
    const { tenant: _tenant, ...facts } = await readRunFacts(body);
    const headers = { [factsHeader]: JSON.stringify(facts) };
    return this.#host.fetch(new Request("http://host/v1/run", { method: "POST", headers, body }));
  }

  /** Runs to the end of its events. */
  async run(run: Runs, answer: BodyInit = result): Promise<string> {
    this.container.answers.push(answer);
    return textOf(await this.start(run));
  }

  /** Lets alarms fire, each in its time, until the container was told to stop: after how many seconds. */
  async secondsToSleep(): Promise<number> {
    const from = Date.now();
    while (this.container.running) {
      if (Date.now() - from > 1_000_000) return Number.POSITIVE_INFINITY;
      const over = new AbortController();
      const alarm = this.#host.alarm().finally(() => over.abort());
      while (!over.signal.aborted) {
        await scheduler.wait(1);
        vi.runOnlyPendingTimers();
      }
      await alarm;
    }
    return Math.round((Date.now() - from) / 1000);
  }

  #make(): TenantHost {
    return new TenantHost(
      this.#state as ConstructorParameters<typeof TenantHost>[0],
      {
        ...settings,
      } as unknown as Env,
    );
  }
}

const textOf = (answer: Response) => new Response(answer.body).text();

async function driven(work: (runner: Driven) => Promise<void>): Promise<void> {
  const variables: { GANGWAY_BUDGETS?: DurableObjectNamespace } = env;
  const object = variables.GANGWAY_BUDGETS?.getByName(`sleep of ${crypto.randomUUID()}`);
  if (object === undefined) throw new TypeError("wrangler.toml binds no Durable Object");
  await runInDurableObject(object, async (_instance, state) => work(new Driven(state)));
}

const session = { id: "s", idle_ms: 300_000 };
const waits = resultWith(',"waits_ms":200000');

describe("a container", () => {
  it.each<[string, number, [Runs, string?][]]>([
    ["for its tenant's time", 20, [[{ limits: { idle_ms: 20_000 } }]]],
    ["as long as a session", 300, [[{ session }]]],
    ["as long as a session, whatever runs without one", 300, [[{ session }], [{}]]],
    ["for the longest of its tenants' launches", 120, [[{ limits: { idle_ms: 120_000 } }], [{}]]],
    ["as long as a call waits for its caller", 200, [[{}, waits]]],
    ["as long as one call waits, whatever else is answered", 200, [[{}, waits], [{}]]],
    ["no longer for what a server says of waiting", 10, [[{}, resultWith(',"b":{"waits_ms":9}')]]],
    [
      "no longer for a session that was ended",
      10,
      [[{ session }], [{ session, operation: { method: "end-session" } }]],
    ],
    [
      "for the other session of two",
      300,
      [
        [{ session }],
        [{ session: { id: "t", idle_ms: 300_000 } }],
        [{ session, operation: { method: "end-session" } }],
      ],
    ],
  ])("stays awake %s", async (_what, seconds, runs) => {
    await driven(async (runner) => {
      for (const [run, answer] of runs) await runner.run(run, answer);
      expect(await runner.secondsToSleep()).toBe(seconds);
    });
  });

  it("counts a session's time from its own last run", async () => {
    await driven(async (runner) => {
      await runner.run({ session });
      vi.setSystemTime(Date.now() + 200_000);
      await runner.run({});
      expect(await runner.secondsToSleep()).toBe(100);
    });
    await driven(async (runner) => {
      await runner.run({ session });
      vi.setSystemTime(Date.now() + 200_000);
      await runner.run({ session });
      expect(await runner.secondsToSleep()).toBe(300);
    });
  });

  it("stays awake when its object is made anew, up to ten seconds longer", async () => {
    await driven(async (runner) => {
      await runner.run({ session });
      runner.evict();
      expect(await runner.secondsToSleep()).toBe(310);
    });
  });

  it("is not told to sleep while it starts", async () => {
    await driven(async (runner) => {
      runner.container.listens = false;
      const told = textOf(await runner.start({})).then((text) => [text, runner.container.running]);
      while (!runner.container.running) await scheduler.wait(1);
      await runner.secondsToSleep();
      expect(await told).toEqual([expect.stringContaining('"HOST_UNAVAILABLE"'), true]);
    });
  });

  it("stays awake under a run, and forgets with its end what kept the last one awake", async () => {
    await driven(async (runner) => {
      await runner.run({});
      const events = new TransformStream<Uint8Array, Uint8Array>();
      runner.container.answers.push(events.readable);
      const answer = await runner.start({ session });
      const text = textOf(answer);
      expect(await runner.secondsToSleep()).toBe(Number.POSITIVE_INFINITY);
      const writer = events.writable.getWriter();
      await writer.write(new TextEncoder().encode(result));
      await writer.close();
      expect(await text).toContain('"result"');
      expect(await runner.secondsToSleep()).toBe(300);
      await runner.run({});
      expect(await runner.secondsToSleep()).toBe(10);
    });
  });
});
