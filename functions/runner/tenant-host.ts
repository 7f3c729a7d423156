import { Container, type StopParams } from "@cloudflare/containers";
import * as z from "zod";
import { GatewayError } from "../../shared/errors/gateway-error.ts";
import { answerWhileStarting } from "./answer-while-starting.ts";
import { AwakeTimes } from "./awake-times.ts";
import { keptAnswer, listKeeper } from "./keep-list.ts";
import { ListStore } from "./list-store.ts";
import { logLine } from "./log-line.ts";
import { passOn } from "./pass-on.ts";
import { WaitsReader } from "./read-waits.ts";
import { longestSleepS, type RunFacts, shortestSleepS } from "./run-facts.ts";
import { type Env, readSettings } from "./settings.ts";
import { startFailure } from "./start-failure.ts";

/** Where the image's host listens. */
const hostPort = 8788;
/** Longest wait for a machine, and then for the host in it, milliseconds: less than a ticket lives. */
const instanceMs = 10_000;
const readyMs = 15_000;
const pollMs = 100;
/** A host that was told to end drains first; a caller waits this long for it. */
const endsWithinMs = 12_000;
const retryAfterS = 5;

/** Carries `RunFacts` from the Worker to the Durable Object. */
export const factsHeader = "gangway-run-facts";
const factsSchema = z.object({
  sleepAfterS: z.number(),
  session: z.object({ name: z.string(), keptS: z.number().nullable() }).nullable(),
  submitted: z.boolean(),
  listKey: z.string().nullable(),
  refresh: z.boolean(),
}) satisfies z.ZodType<Omit<RunFacts, "tenant">>;
type Facts = z.infer<typeof factsSchema>;

/** One run on its way to the host. */
interface Run {
  readonly body: ArrayBuffer;
  readonly authorization: string;
  /** Aborts when the caller has gone away. */
  readonly gone: AbortController;
}

/**
 * One tenant's host in a container of its own, and the lists that outlive it. The host checks the
 * edge's tickets; this object starts it, keeps it awake while it is used, and lets it sleep.
 */
export class TenantHost extends Container<Env> {
  override defaultPort = hostPort;
  override pingEndpoint = "host/health";
  override sleepAfter: string | number = shortestSleepS;
  readonly #awake = new AwakeTimes(this.ctx.storage.kv, () => Date.now());
  readonly #lists = new ListStore(this.ctx.storage.kv, () => Date.now());
  #startedAt = Date.now();
  #inFlight = 0;

  /** Runs one operation; the answer is the host's own stream of events. */
  override async fetch(request: Request): Promise<Response> {
    const facts = factsSchema.parse(JSON.parse(request.headers.get(factsHeader) ?? "null"));
    const kept = facts.listKey === null ? null : this.#keptList(facts.listKey, facts);
    if (kept !== null) return kept;
    this.#prepare(facts);
    const gone = new AbortController();
    request.signal.addEventListener("abort", () => gone.abort());
    const body = await request.arrayBuffer();
    const run = { body, authorization: request.headers.get("authorization") ?? "", gone };
    const answer = (await this.#isUp()) ? await this.#ask(run) : null;
    if (answer !== null) return this.#passOn(answer, facts, gone);
    return answerWhileStarting(async () => {
      await this.#start();
      const late = await this.#ask(run);
      if (late === null) throw hostEnds();
      return this.#passOn(late, facts, gone);
    }, gone);
  }

  /** Passes a `DELETE` on to a host that is up; null where none is. */
  async cancel(path: string, authorization: string): Promise<Response | null> {
    if (!(await this.#isUp())) return null;
    return this.#fetch(path, { method: "DELETE", headers: { authorization } });
  }

  override async onStart(): Promise<void> {
    this.#startedAt = Date.now();
  }

  override async onStop({ exitCode, reason }: StopParams): Promise<void> {
    this.#awake.clear();
    const containerMs = Date.now() - this.#startedAt;
    logLine({ event: "container stopped", exit_code: exitCode, reason, container_ms: containerMs });
  }

  /** Asked again after ten seconds where the container does not stop. */
  override async onActivityExpired(): Promise<void> {
    if (this.#inFlight === 0 && this.#awake.dueMs === 0) await this.stop();
  }

  /** The container sleeps when nothing that it was used for is due any more. */
  override renewActivityTimeout(): void {
    this.sleepAfter = Math.max(shortestSleepS, Math.ceil(this.#awake.dueMs / 1000));
    super.renewActivityTimeout();
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

  #passOn(answer: Response, facts: Facts, gone: AbortController): Response {
    const body: ReadableStream<Uint8Array> | null = answer.body;
    if (!answer.ok || body === null) return answer;
    this.#inFlight += 1;
    this.#keepAwake(facts);
    const { listKey } = facts;
    const list = listKey === null ? null : listKeeper((line) => this.#lists.put(listKey, line));
    const waits = new WaitsReader();
    const passing = {
      chunk: (chunk: Uint8Array) => {
        waits.chunk(chunk);
        list?.chunk?.(chunk);
      },
      end: () => list?.end?.(),
      gone: () => gone.abort(),
      over: () => this.#over(facts, waits.waitsMs),
    };
    return new Response(passOn(body, passing), answer);
  }

  /** The time until the container sleeps begins with the end of the run. */
  #over(facts: Facts, waitsMs: number): void {
    this.#inFlight -= 1;
    this.#awake.keep(Math.min(waitsMs, longestSleepS * 1000));
    this.#keepAwake(facts);
  }

  #keepAwake({ sleepAfterS, session }: Facts): void {
    this.#awake.keep(sleepAfterS * 1000);
    if (session?.keptS === null) this.#awake.end(session.name);
    else if (session !== null) this.#awake.keep(session.keptS * 1000, session.name);
    this.renewActivityTimeout();
  }

  #prepare({ submitted }: Facts): void {
    const settings = readSettings(this.env);
    if ("wrong" in settings) throw new GatewayError("NOT_READY", "The runner is not set up.");
    this.envVars = { ...settings.hostVariables };
    this.enableInternet =
      settings.internet === "all" || (settings.internet === "operator" && !submitted);
  }

  async #isUp(): Promise<boolean> {
    if (this.ctx.container?.running !== true) return false;
    return (await this.getState()).status === "healthy";
  }

  /** The host's answer; null where it has ended, and has not taken the run. */
  async #ask({ body, authorization, gone }: Run): Promise<Response | null> {
    const headers = { authorization, "content-type": "application/json" };
    const asked = { method: "POST", headers, body, signal: gone.signal };
    const answer = await this.#fetch("/v1/run", asked);
    if (answer?.ok === true) return answer;
    const text = (await answer?.text()) ?? "";
    if (answer !== null && !text.includes('"NOT_READY"')) return new Response(text, answer);
    if (gone.signal.aborted) throw new GatewayError("CANCELLED", "The caller went away.");
    await this.#ended();
    return null;
  }

  /** Null where nothing listens: a host begins its answer before it starts anything. */
  async #fetch(path: string, init: RequestInit): Promise<Response | null> {
    try {
      const port = this.ctx.container?.getTcpPort(hostPort);
      return (await port?.fetch(`http://host${path}`, init)) ?? null;
    } catch {
      return null;
    }
  }

  /** Waits for a host that drains, or has crashed, so that another can be started. */
  async #ended(): Promise<void> {
    const last = Date.now() + endsWithinMs;
    while (this.ctx.container?.running === true) {
      if (Date.now() > last) throw hostEnds();
      await scheduler.wait(pollMs);
    }
  }

  async #start(): Promise<void> {
    this.#inFlight += 1;
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
    } finally {
      this.#inFlight -= 1;
    }
  }
}

function hostEnds(): GatewayError {
  return new GatewayError("HOST_UNAVAILABLE", "The host is being stopped.", { retryAfterS });
}
