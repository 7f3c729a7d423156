import { accepts } from "hono/accepts";
import type { AppContext, Deps } from "../context.ts";
import { requestOperation, type SurroundingOptions } from "./request-operation.ts";
import { eventStreamType, streamAnswer, type Work } from "./stream-answer.ts";

const json = "application/json";

export interface OperationAnswering<Body extends object> {
  readonly options: SurroundingOptions;
  readonly work: Work<Body>;
  /** Makes the answer that is no stream. */
  readonly respond: (c: AppContext, body: Body) => Response;
}

/** Answers one operation as the request's `Accept` wishes: as JSON, or as a stream of events. */
export async function answerOperation<Body extends object>(
  c: AppContext,
  deps: Deps,
  { options, work, respond }: OperationAnswering<Body>,
): Promise<Response> {
  const type = accepts(c, { header: "Accept", supports: [json, eventStreamType], default: json });
  if (type === eventStreamType) return streamAnswer(c, deps, options, work);
  const working = work(requestOperation(c, deps, options));
  // A caller that goes away must not end the work before it is cancelled at the server.
  c.executionCtx.waitUntil(working.catch(() => undefined));
  return respond(c, await working);
}
