import { eventLine, eventsAnswer, failureEvent, toGatewayError } from "./answers.ts";
import { readRefusal } from "../../shared/run-contract/host-refusal.ts";

/** As often as a host tells that it is still at it. */
const pingMs = 10_000;

type Controller = ReadableStreamDefaultController<Uint8Array>;
type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Answers a run at once and tells that its container starts; the answer of `work`, which is the
 * host's, follows in the same stream. What fails before it is the run's last event. A reader who
 * goes away aborts `gone`.
 */
export function answerWhileStarting(
  work: () => Promise<Response>,
  gone: AbortController,
): Response {
  let reader: Reader | null = null;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => tell(controller, eventLine({ event: "phase", phase: "container" })),
    async pull(controller) {
      try {
        reader ??= await started(work, controller);
      } catch (error) {
        tell(controller, eventLine(failureEvent(toGatewayError(error))));
        return controller.close();
      }
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel() {
      gone.abort();
      return reader?.cancel();
    },
  });
  return eventsAnswer(body);
}

/** @throws GatewayError where the host does not take the run */
async function started(work: () => Promise<Response>, controller: Controller): Promise<Reader> {
  const pings = setInterval(() => tell(controller, eventLine({ event: "ping" })), pingMs);
  try {
    const answer = await work();
    if (!answer.ok || answer.body === null) throw await readRefusal(answer);
    return answer.body.getReader();
  } finally {
    clearInterval(pings);
  }
}

/** To a reader who has gone away nothing can be told. */
function tell(controller: Controller, line: Uint8Array): void {
  try {
    controller.enqueue(line);
  } catch {
    // The stream was cancelled.
  }
}
