import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import { checkLaunch } from "../launch/check-launch.ts";
import type { WaitingCalls } from "../questions/waiting-calls.ts";
import type { HeldProcesses } from "../sessions/held-processes.ts";
import { answerCall } from "./answer-call.ts";
import { type ObtainDependencies, obtainServer } from "./obtain-server.ts";
import { type Plan, readPlan } from "./read-plan.ts";
import type { Run } from "./run.ts";
import { ServedCall } from "./served-call.ts";
import { Stopwatch } from "./stopwatch.ts";

export interface RunDependencies extends ObtainDependencies {
  readonly held: HeldProcesses;
  readonly waiting: WaitingCalls<ServedCall>;
  readonly maxFrameBytes: number;
  readonly now: () => number;
}

/**
 * The life of one run: check → install → start → operate → answer; one that continues a call
 * begins where the call waits. Ends with the `result` event.
 */
export async function runOperation(asked: Run, deps: RunDependencies): Promise<void> {
  const run = { ...asked, request: withinHostLimits(asked, deps) };
  checkLaunch(run.request.launch);
  const plan = readPlan(run.request);
  if (plan.kind === "end-session") return endSession(run, deps);
  const watch = new Stopwatch(deps.now);
  const call =
    plan.kind === "continue"
      ? continueCall(plan, run, deps)
      : new ServedCall(run, {
          lease: await obtainServer(run, deps, watch),
          operation: plan.operation,
          held: deps.held,
          now: deps.now,
        });
  return answerCall(call, run, { watch, waiting: deps.waiting });
}

function continueCall(
  { state, responses }: Extract<Plan, { kind: "continue" }>,
  run: Run,
  { waiting }: RunDependencies,
): ServedCall {
  run.emit({ event: "sent" }); // By the run that began the call.
  const call = waiting.take(state, run.request);
  call.answer(run, responses);
  return call;
}

async function endSession({ request, emit }: Run, { sessions }: RunDependencies): Promise<void> {
  const { session } = request;
  const ended = session !== undefined && (await sessions.end(session.id));
  emit({
    event: "result",
    result: { ended },
    session: { era: "legacy", protocol_version: "", warm: false },
    warnings: [],
    timings_ms: {},
  });
}

/** A timer of Node's that is set to more than 24 days goes off at once. */
const longestMs = 86_400_000;
const times = ["install_ms", "handshake_ms", "call_ms", "progress_extends_to_ms"] as const;

/** The host's own bound on what one frame may cost it in memory, and on how long it waits. */
function withinHostLimits({ request }: Run, { maxFrameBytes }: RunDependencies): RunRequest {
  const limits = { ...request.limits };
  limits.result_bytes = Math.min(limits.result_bytes, maxFrameBytes);
  for (const time of times) limits[time] = Math.min(limits[time], longestMs);
  return { ...request, limits };
}
