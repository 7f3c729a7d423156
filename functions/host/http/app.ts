import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { whereThrown } from "../../../shared/errors/where-thrown.ts";
import {
  cancelTicketBody,
  contractVersion,
  type RunRequest,
} from "../../../shared/run-contract/contract.ts";
import type { Log } from "../log.ts";
import { answerJson } from "./answer-json.ts";
import { BodyRoom } from "./body-room.ts";
import { toGatewayError } from "./error-answer.ts";
import { type EmitEvent, openEventStream } from "./event-stream.ts";
import { type Exchange, findRoute, type Routes } from "./find-route.ts";
import { parseRun } from "./parse-run.ts";
import { type BodyLimits, readBody } from "./read-body.ts";
import { refuseRequest } from "./refuse-request.ts";
import type { TicketGate } from "./ticket-gate.ts";

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

/** What may be received at the same time: so many bodies, and of the largest no more than so many. */
const maxBodies = 1000;
const maxLargest = 16;

/** The host's HTTP surface: contract v1 and liveness. */
export function createHostApp(deps: AppDependencies): RequestListener {
  const maxBytes = deps.maxBodyBytes;
  const room = new BodyRoom({ bodies: maxBodies, bytes: maxLargest * maxBytes });
  const routes: Routes = {
    "GET /health": (exchange) => answerHealth(deps, exchange),
    "POST /v1/run": (exchange) => answerRun(deps, exchange, { maxBytes, room }),
    "DELETE /v1/runs/:id": (exchange) => answerCancel(deps, exchange),
  };
  return (request, response) => {
    answer(routes, request, response).catch((error: unknown) => {
      const told = toGatewayError(error);
      if (told.code === "INTERNAL")
        deps.log.error({ thrown: whereThrown(error) }, "request failed");
      else deps.log.warn({ code: told.code }, "request refused");
      refuseRequest(request, response, told);
    });
  };
}

async function answer(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { handle, id } = findRoute(routes, request);
  await handle({ request, response, id });
}

function answerHealth({ runs, version }: AppDependencies, { response }: Exchange): void {
  const ok = runs.accepting();
  const health = { ok, draining: !ok, contract: [contractVersion], version };
  answerJson(response, ok ? 200 : 503, health);
}

/** Nothing of a body is kept before its ticket is known to be the edge's. */
async function answerRun(
  deps: AppDependencies,
  { request, response }: Exchange,
  limits: BodyLimits,
): Promise<void> {
  const admission = deps.gate.admit(request.headers.authorization);
  const body = await readBody(request, limits);
  const run = parseRun(body, admission.take(body));
  if (!deps.runs.accepting()) {
    throw new GatewayError("NOT_READY", "The host is shutting down.", { retryAfterS: 5 });
  }
  const gone = new AbortController();
  const stream = openEventStream(response, { pingMs: deps.pingMs, onGone: () => gone.abort() });
  stream.emit({ event: "accepted", contract: contractVersion, sessions: true });
  void deps.runs.start(run, stream.emit, gone.signal).finally(stream.end);
}

function answerCancel({ gate, runs }: AppDependencies, exchange: Exchange): void {
  const { request, response, id } = exchange;
  gate.admit(request.headers.authorization).take(cancelTicketBody(id));
  answerJson(response, 200, { cancelled: runs.cancel(id) });
}
