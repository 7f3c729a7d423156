import { isAtLeast, isLogLevel, type LogLevel } from "../../../shared/mcp/log-levels.ts";
import type { SessionNotification } from "../../../shared/mcp/session-types.ts";
import type { EmitEvent } from "../http/event-stream.ts";
import { type Redact, redactJson } from "../process/redact.ts";

interface LogRelay {
  /** Least severe records that are wanted; null = none. */
  readonly level: LogLevel | null;
  readonly redact: Redact;
  readonly emit: EmitEvent;
  /** Answers whether one more record may pass. */
  readonly mayPass: () => boolean;
}

/** Turns a server's log notifications of at least the wanted level into `log` events. */
export function relayLog({ level: least, redact, emit, mayPass }: LogRelay) {
  return ({ method, params }: SessionNotification): void => {
    const { level, logger, data } = params;
    if (method !== "notifications/message" || !isLogLevel(level)) return;
    if (least === null || !isAtLeast(level, least) || !mayPass()) return;
    const named = typeof logger === "string" ? { logger: redact(logger) } : {};
    emit({ event: "log", level, ...named, data: redactJson(redact, data) });
  };
}
