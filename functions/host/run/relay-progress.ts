import type { Progress } from "../../../shared/mcp/session-types.ts";
import type { EmitEvent } from "../http/event-stream.ts";
import type { Redact } from "../process/redact.ts";

interface ProgressRelay {
  readonly redact: Redact;
  readonly emit: EmitEvent;
  /** Answers whether one more note may pass. */
  readonly mayPass: () => boolean;
}

/** Turns a server's progress notes into `progress` events. */
export function relayProgress({ redact, emit, mayPass }: ProgressRelay) {
  return ({ message, ...numbers }: Progress): void => {
    if (!mayPass()) return;
    const told = message === undefined ? {} : { message: redact(message) };
    emit({ event: "progress", ...numbers, ...told });
  };
}
