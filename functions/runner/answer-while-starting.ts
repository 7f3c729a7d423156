import { eventLine, eventsAnswer, failureEvent, toGatewayError } from "./answers.ts";
import { readRefusal } from "./host-refusal.ts";

/** As often as a host tells that it is still at it. */
const pingMs = 10_000;

type Writer = WritableStreamDefaultWriter<Uint8Array>;

/**
 * Answers a run at once and tells that its container starts; the answer of `work`, which is the
 * host's, follows in the same stream. What fails before it is the run's last event.
 */
export function answerWhileStarting(work: () => Promise<Response>): Response {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void write(writable, work);
  return eventsAnswer(readable);
}

async function write(
  writable: WritableStream<Uint8Array>,
  work: () => Promise<Response>,
): Promise<void> {
  const writer = writable.getWriter();
  try {
    const events = await eventsOf(work, writer);
    writer.releaseLock();
    // A stream that breaks off on either side ends the other one, which is all that can be told.
    await events.pipeTo(writable).catch(() => undefined);
  } catch (error) {
    tell(writer, eventLine(failureEvent(toGatewayError(error))));
    await writer.close().catch(() => undefined);
  }
}

/** @throws GatewayError where the host does not take the run */
async function eventsOf(
  work: () => Promise<Response>,
  writer: Writer,
): Promise<ReadableStream<Uint8Array>> {
  tell(writer, eventLine({ event: "phase", phase: "container" }));
  const pings = setInterval(() => tell(writer, eventLine({ event: "ping" })), pingMs);
  try {
    const answer = await work();
    if (!answer.ok || answer.body === null) throw await readRefusal(answer);
    return answer.body;
  } finally {
    clearInterval(pings);
  }
}

/** To a reader who has gone away nothing can be told. */
function tell(writer: Writer, line: Uint8Array): void {
  void writer.write(line).catch(() => undefined);
}
