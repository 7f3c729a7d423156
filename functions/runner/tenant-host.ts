import { Container, type StopParams } from "@cloudflare/containers";
import * as z from "zod";
import { GatewayError } from "../../shared/errors/gateway-error.ts";
import { answerWhileStarting } from "./answer-while-starting.ts";
import { keepList, keptAnswer } from "./keep-list.ts";
import { ListStore } from "./list-store.ts";
import { logLine } from "./log-line.ts";
import type { RunFacts } from "./run-facts.ts";
import { type Env, readSettings } from "./settings.ts";
import { startFailure } from "./start-failure.ts";

/** Where the image's host listens. */
const hostPort = 8788;
/** Longest wait for a machine, and then for the host in it, milliseconds: less than a ticket lives. */
const instanceMs = 10_000;
const readyMs = 15_000;
const pollMs = 100;
/** A host that was told to end drains first; after this long it counts as hung. */
const endsWithinMs = 12_000;

/** Carries `RunFacts` from the Worker to the Durable Object. */
export const factsHeader = "gangway-run-facts";
const factsSchema = z.object({
  sleepAfterS: z.number(),
  submitted: z.boolean(),
  listKey: z.string().nullable(),
  refresh: z.boolean(),
}) satisfies z.ZodType<Omit<RunFacts, "tenant">>;
type Facts = z.infer<typeof factsSchema>;

/** One run on its way to the host. */
interface Run {
  readonly body: ArrayBuffer;
  readonly authorization: string;
  readonly signal: AbortSignal;
}

/**
 * One tenant's host in a container of its own, and the lists that outlive it. The host checks the
 * edge's tickets; this object starts it, keeps it awake while it is used, and lets it sleep.
 */
export class TenantHost extends Container<Env> {
  override defaultPort = hostPort;
  override pingEndpoint = "host/health";
  override sleepAfter: string | number = 60;
  readonly #lists = new ListStore(this.ctx.storage.kv, () => Date.now());
  #startedAt = Date.now();

  /** Runs one operation; the answer is the host's own stream of events. */
  override async fetch(request: Request): Promise<Response> {
    const facts = factsSchema.parse(JSON.parse(request.headers.get(factsHeader) ?? "null"));
    const kept = facts.listKey === null ? null : this.#keptList(facts.listKey, facts);
    if (kept !== null) return kept;
    this.#prepare(facts);
    const run = {
      body: await request.arrayBuffer(),
      authorization: request.headers.get("authorization") ?? "",
      signal: request.signal,
    };
    const answer = (await this.#isUp()) ? await this.#ask(run) : null;
    if (answer !== null) return this.#keeping(answer, facts);
    return answerWhileStarting(async () => {
      await this.#start();
      const late = await this.#ask(run);
      if (late === null) throw new GatewayError("HOST_UNAVAILABLE", "The host has just ended.");
      return this.#keeping(late, facts);
    });
  }

  /** Passes a `DELETE` on to a host that is up; null where none is. */
  async cancel(path: string, authorization: string): Promise<Response | null> {
    if (!(await this.#isUp())) return null;
    return this.containerFetch(`http://host${path}`, {
      method: "DELETE",
      headers: { authorization },
    });
  }

  override async onStart(): Promise<void> {
    this.#startedAt = Date.now();
  }

  override async onStop({ exitCode, reason }: StopParams): Promise<void> {
    const containerMs = Date.now() - this.#startedAt;
    logLine({ event: "container stopped", exit_code: exitCode, reason, container_ms: containerMs });
  }

  override async onActivityExpired(): Promise<void> {
    await this.stop();
  }

  override onError(error: unknown): void {
    logLine({
      event: "container failed",
      reason: error instanceof Error ? error.message : String(error),
    });
  }

  /** While the host is up it is asked: what it says is newer, and costs no start. */
  #keptList(key: string, { refresh }: Facts): Response | null {
    if (refresh || this.ctx.container?.running === true) return null;
    const line = this.#lists.get(key);
    return line === null ? null : keptAnswer(line);
  }

  #keeping(answer: Response, { listKey }: Facts): Response {
    if (listKey === null || !answer.ok) return answer;
    return keepList(answer, (line) => this.#lists.put(listKey, line));
  }

  #prepare({ sleepAfterS, submitted }: Facts): void {
    const settings = readSettings(this.env);
    if ("wrong" in settings) throw new GatewayError("NOT_READY", "The runner is not set up.");
    this.sleepAfter = sleepAfterS;
    this.envVars = { ...settings.hostVariables };
    this.enableInternet =
      settings.internet === "all" || (settings.internet === "operator" && !submitted);
  }

  async #isUp(): Promise<boolean> {
    if (this.ctx.container?.running !== true) return false;
    return (await this.getState()).status === "healthy";
  }

  /** The host's answer; null where it is ending or gone, and has not taken the run. */
  async #ask({ body, authorization, signal }: Run): Promise<Response | null> {
    const headers = { authorization, "content-type": "application/json" };
    const request = new Request("http://host/v1/run", { method: "POST", headers, body, signal });
    const answer = await this.containerFetch(request);
    if (answer.ok) return answer;
    // The class itself says in plain text that nothing listens.
    const isHosts = answer.headers.get("content-type")?.includes("json") ?? false;
    const text = await answer.text();
    if (!isHosts || text.includes('"NOT_READY"')) {
      await this.#ended();
      return null;
    }
    return new Response(text, answer);
  }

  async #ended(): Promise<void> {
    const last = Date.now() + endsWithinMs;
    while (this.ctx.container?.running === true) {
      if (Date.now() > last) return this.destroy();
      await scheduler.wait(pollMs);
    }
  }

  async #start(): Promise<void> {
    try {
      await this.startAndWaitForPorts({
        ports: hostPort,
        cancellationOptions: {
          abort: AbortSignal.timeout(instanceMs + readyMs),
          instanceGetTimeoutMS: instanceMs,
          portReadyTimeoutMS: readyMs,
          waitInterval: pollMs,
        },
      });
    } catch (cause) {
      throw startFailure(cause);
    }
  }
}
