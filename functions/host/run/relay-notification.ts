import type { SessionNotification } from "../../../shared/mcp/session-types.ts";
import type { EmitEvent } from "../http/event-stream.ts";
import { type Redact, redactJson } from "../process/redact.ts";

interface NotificationEvents {
  readonly redact: Redact;
  readonly emit: EmitEvent;
  /** Answers whether one more notification may pass. */
  readonly mayPass: () => boolean;
}

/** Turns a server's notifications, log records excepted, into `notification` events. */
export function relayNotification({ redact, emit, mayPass }: NotificationEvents) {
  return ({ method, params }: SessionNotification): void => {
    if (method === "notifications/message" || !mayPass()) return;
    const masked = redactJson(redact, params) as Record<string, unknown>;
    emit({ event: "notification", method: redact(method), params: masked });
  };
}
