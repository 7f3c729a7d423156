import { isErrorCode } from "../../../shared/errors/catalogue.ts";
import type { RunEvent } from "../../../shared/run-contract/contract.ts";
import type { EmitEvent } from "../http/event-stream.ts";
import type { HostMetrics, RunStage } from "./host-metrics.ts";

/** Counts a run by the events that it tells; hands them on unchanged. */
export function measureRun(emit: EmitEvent, metrics: HostMetrics): EmitEvent {
  let stage: RunStage | null = null;
  const moveTo = (next: RunStage | null) => {
    metrics.movedRun(stage, next);
    stage = next;
  };
  moveTo("install");
  return (event) => {
    const next = stageAfter(event);
    if (next !== undefined && stage !== null) moveTo(next);
    tell(event, metrics);
    return emit(event);
  };
}

/** The stage that an event begins; null = the run is over; undefined = it goes on as it was. */
function stageAfter(event: RunEvent): RunStage | null | undefined {
  if (event.event === "phase") return event.phase === "handshake" ? "start" : "install";
  if (event.event === "sent") return "call";
  return event.event === "result" || event.event === "error" ? null : undefined;
}

function tell(event: RunEvent, metrics: HostMetrics): void {
  if (event.event === "error") {
    const { code } = event.error;
    metrics.endedRun(isErrorCode(code) ? code : "INTERNAL");
  }
  if (event.event !== "result") return;
  metrics.endedRun("ok");
  const { handshake, call } = event.timings_ms;
  if (handshake !== undefined) metrics.tookMs("start", handshake);
  if (call !== undefined) metrics.tookMs("call", call);
}
