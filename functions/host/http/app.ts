import { Hono } from "hono";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import {
  cancelTicketBody,
  contractVersion,
  type RunRequest,
} from "../../../shared/run-contract/contract.ts";
import type { Log } from "../log.ts";
import { errorAnswer, toGatewayError } from "./error-answer.ts";
import { type EmitEvent, openEventStream } from "./event-stream.ts";
import { parseRun } from "./parse-run.ts";
import { readBody } from "./read-body.ts";
import type { TicketGate } from "./ticket-gate.ts";
import { whereThrown } from "../../../shared/errors/where-thrown.ts";

/** What the routes call; `start` never rejects: a run's failure is its last event. */
export interface Runs {
  /** False once the host was told to end: it takes no new runs. */
  readonly accepting: () => boolean;
  readonly start: (request: RunRequest, emit: EmitEvent, signal: AbortSignal) => Promise<void>;
  /** Cancels every run under the id; answers how many there were. */
  readonly cancel: (requestId: string) => number;
}

export interface AppDependencies {
  readonly gate: Pick<TicketGate, "admit">;
  readonly runs: Runs;
  readonly log: Log;
  readonly version: string;
  readonly maxBodyBytes: number;
  readonly pingMs: number;
}

/** The host's HTTP surface: contract v1 and liveness. */
export function createHostApp(deps: AppDependencies): Hono {
  const app = new Hono();

  app.get("/health", (c) => {
    const ok = deps.runs.accepting();
    const health = { ok, draining: !ok, contract: [contractVersion], version: deps.version };
    return c.json(health, ok ? 200 : 503);
  });

  app.post("/v1/run", async (c) => {
    const body = await readBody(c.req.raw, deps.maxBodyBytes);
    const claims = await deps.gate.admit({ authorization: c.req.header("authorization"), body });
    const request = parseRun(body, claims);
    if (!deps.runs.accepting()) {
      throw new GatewayError("NOT_READY", "The host is shutting down.", { retryAfterS: 5 });
    }
    return answerRun(deps, request, c.req.raw.signal);
  });

  app.delete("/v1/runs/:id", async (c) => {
    const id = c.req.param("id");
    const body = cancelTicketBody(id);
    await deps.gate.admit({ authorization: c.req.header("authorization"), body });
    return c.json({ cancelled: deps.runs.cancel(id) });
  });

  refuseOtherMethods(app, { "/health": "GET", "/v1/run": "POST", "/v1/runs/:id": "DELETE" });
  app.notFound((c) =>
    errorAnswer(new GatewayError("ROUTE_NOT_FOUND", `There is no ${c.req.method} ${c.req.path}.`)),
  );
  app.onError((error) => {
    const told = toGatewayError(error);
    if (told.code === "INTERNAL") deps.log.error({ thrown: whereThrown(error) }, "request failed");
    else deps.log.warn({ code: told.code }, "request refused");
    return errorAnswer(told);
  });
  return app;
}

function answerRun(deps: AppDependencies, request: RunRequest, signal: AbortSignal): Response {
  const gone = new AbortController();
  const stream = openEventStream({ pingMs: deps.pingMs, onCancel: () => gone.abort() });
  stream.emit({ event: "accepted", contract: contractVersion });
  void deps.runs
    .start(request, stream.emit, AbortSignal.any([gone.signal, signal]))
    .finally(stream.end);
  return new Response(stream.body, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  });
}

function refuseOtherMethods(app: Hono, allowedByPath: Record<string, string>): void {
  for (const [path, allow] of Object.entries(allowedByPath)) {
    app.all(path, (c) => {
      const message = `${c.req.path} takes ${allow} only.`;
      return errorAnswer(new GatewayError("METHOD_NOT_ALLOWED", message, { details: { allow } }));
    });
  }
}
