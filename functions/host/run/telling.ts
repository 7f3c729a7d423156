import type { Progress, SessionNotification } from "../../../shared/mcp/session-types.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import type { EmitEvent } from "../http/event-stream.ts";
import type { Redact } from "../process/redact.ts";
import { DropCounter } from "./drop-counter.ts";
import { rateLimit } from "./rate-limit.ts";
import { relayLog } from "./relay-log.ts";
import { relayNotification } from "./relay-notification.ts";
import { relayProgress } from "./relay-progress.ts";
import type { Run } from "./run.ts";

/** What a server tells besides its answer, on its way to the caller of one run. */
export interface Telling {
  readonly request: RunRequest;
  readonly emit: EmitEvent;
  readonly progress: (progress: Progress) => void;
  readonly note: (notification: SessionNotification) => void;
  /** Events that were left out because there were too many, by their name. */
  readonly dropped: Record<string, number>;
}

/** What one run may tell of itself; a server that tells more is not read out whole. */
const progressRate = { perSecond: 10, burst: 20 };
const logRate = { perSecond: 50, burst: 100 };

export function openTelling(
  { request, emit }: Run,
  { redact, now }: { readonly redact: Redact; readonly now: () => number },
): Telling {
  const drops = new DropCounter();
  const told = (name: string, rate: typeof logRate) => ({
    redact,
    emit: drops.watchEmit(name, emit),
    mayPass: drops.watch(name, rateLimit(rate, now)),
  });
  const log = relayLog({ level: request.log_level, ...told("log", logRate) });
  const others = relayNotification(told("notification", logRate));
  return {
    request,
    emit,
    progress: relayProgress(told("progress", progressRate)),
    note: (notification) => (log(notification), others(notification)),
    get dropped() {
      return drops.counts;
    },
  };
}
