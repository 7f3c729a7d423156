import type { RunEvent, RunRequest } from "../../../shared/run-contract/contract.ts";
import type { WaitingCalls } from "../questions/waiting-calls.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Run } from "./run.ts";
import type { ServedCall, Step } from "./served-call.ts";
import { shallow } from "./shallow.ts";
import type { Stopwatch } from "./stopwatch.ts";

type ResultEvent = Extract<RunEvent, { event: "result" }>;

interface Answering {
  readonly watch: Stopwatch;
  readonly waiting: WaitingCalls<ServedCall>;
}

/**
 * Ends a run with its call's next step: the server's answer, or its questions, while the call
 * waits for the run that answers them.
 * @throws GatewayError what the call fails with
 */
export async function answerCall(
  call: ServedCall,
  run: Run,
  { watch, waiting }: Answering,
): Promise<void> {
  try {
    const step = await watch.time("call", call.step(run));
    const { waits_ms, ...told } =
      step.kind === "asked"
        ? askCaller(step, waiting.keep(call))
        : answered(step, call, run.request);
    run.emit({
      event: "result",
      ...told,
      session: sessionInfo(call),
      timings_ms: watch.timings,
      dropped: call.dropped,
      ...(waits_ms === undefined ? {} : { waits_ms }),
    });
  } catch (error) {
    throw await explainFailure(call.lease.server.process, error);
  }
}

type Told = Pick<ResultEvent, "result" | "warnings" | "waits_ms">;

function answered(
  { told }: Extract<Step, { kind: "answered" }>,
  call: ServedCall,
  request: RunRequest,
): Told {
  call.lease.worked();
  const { result, warnings } = shallow(told, request);
  return { result, warnings: [...warnings] };
}

/** In the form in which servers of revision 2026-07-28 ask. */
function askCaller(
  { questions }: Extract<Step, { kind: "asked" }>,
  { state, waitsMs }: ReturnType<WaitingCalls<ServedCall>["keep"]>,
): Told {
  const result = { resultType: "input_required", inputRequests: questions, requestState: state };
  return { result, warnings: [], waits_ms: waitsMs };
}

function sessionInfo({ lease: { server, warm }, sessionId }: ServedCall): ResultEvent["session"] {
  const { info } = server.session;
  return {
    era: info?.era ?? "legacy",
    protocol_version: info?.protocolVersion ?? "",
    warm,
    ...(sessionId === null ? {} : { id: sessionId }),
  };
}
