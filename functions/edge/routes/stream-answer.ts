import type { AppContext, Deps } from "../context.ts";
import { errorAnswer, toGatewayError } from "../middleware/errors.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { type EventStream, openEventStream } from "./event-stream.ts";
import { requestOperation, type SurroundingOptions } from "./request-operation.ts";

/** One operation of a request: its surroundings in, the answer's body out. */
export type Work<Body extends object> = (context: OperationContext) => Promise<Body>;

export const eventStreamType = "text/event-stream";

/** Without a sign of life, intermediaries cut idle streams; at 125 s at the latest. */
const keepAliveMs = 15_000;
/** Run locally, the runtime sees that a reader has gone only when it writes to it. */
const developmentKeepAliveMs = 250;

/**
 * Answers with a stream: `accepted`, what servers tell meanwhile, and last `result` or `error`.
 * What fails before any server is contacted rejects, and is answered without a stream. A reader
 * that goes away cancels the work.
 */
export async function streamAnswer(
  c: AppContext,
  deps: Deps,
  options: SurroundingOptions,
  work: Work<object>,
): Promise<Response> {
  const gone = new AbortController();
  const cancel = (): void => gone.abort();
  const surroundings = requestOperation(c, deps, options);
  surroundings.signal.addEventListener("abort", cancel, { once: true });
  const stream = openEventStream({
    keepAliveMs: deps.settings.development ? developmentKeepAliveMs : keepAliveMs,
    onGone: cancel,
  });
  stream.send("accepted", { request_id: c.get("requestId") });
  const contact = Promise.withResolvers<void>();
  const working = work({
    ...surroundings,
    signal: gone.signal,
    tell: ({ event, data }) => stream.offer(event, data),
    contacting: contact.resolve,
  });
  try {
    await Promise.race([contact.promise, working]);
  } catch (error) {
    stream.end();
    throw error;
  }
  c.executionCtx.waitUntil(finish(working, stream, c));
  return new Response(stream.body, {
    headers: {
      "content-type": eventStreamType,
      // A compressor on the way would hold events back.
      "cache-control": "no-store, no-transform",
    },
  });
}

async function finish(working: Promise<object>, stream: EventStream, c: AppContext): Promise<void> {
  const requestId = c.get("requestId");
  try {
    stream.send("result", await working);
  } catch (thrown) {
    const error = toGatewayError(thrown, requestId);
    stream.send("error", { ...errorAnswer(error, requestId), http_status: error.http });
  } finally {
    stream.end();
  }
}
