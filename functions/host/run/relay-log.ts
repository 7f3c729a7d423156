import type { SessionNotification } from "../../../shared/mcp/session-types.ts";
import { logLevels, type RunRequest } from "../../../shared/run-contract/contract.ts";
import type { EmitEvent } from "../http/event-stream.ts";
import { type Redact, redactJson } from "../process/redact.ts";

type Level = (typeof logLevels)[number];

interface LogRelay {
  readonly level: RunRequest["log_level"];
  readonly redact: Redact;
  readonly emit: EmitEvent;
  /** Answers whether one more record may pass. */
  readonly mayPass: () => boolean;
}

/** Turns a server's log notifications of at least the wanted level into `log` events. */
export function relayLog({ level, redact, emit, mayPass }: LogRelay) {
  const least = level === null ? Number.POSITIVE_INFINITY : logLevels.indexOf(level);
  return ({ method, params }: SessionNotification): void => {
    if (method !== "notifications/message" || !isLevel(params["level"])) return;
    if (logLevels.indexOf(params["level"]) < least || !mayPass()) return;
    const logger = params["logger"];
    emit({
      event: "log",
      level: params["level"],
      ...(typeof logger === "string" ? { logger: redact(logger) } : {}),
      data: redactJson(redact, params["data"]),
    });
  };
}

function isLevel(value: unknown): value is Level {
  return logLevels.some((level) => level === value);
}
