import type { McpSession } from "../../../shared/mcp/session.ts";
import type { SessionNotification } from "../../../shared/mcp/session-types.ts";
import type { Redact } from "../process/redact.ts";
import type { ServerProcess } from "../process/server-process.ts";
import type { QuestionDesk } from "../questions/question-desk.ts";

/** A server that is ready for calls: its process, and the one MCP session on it. */
export interface WarmServer {
  readonly process: ServerProcess;
  readonly session: McpSession;
  readonly notifications: NotificationRelay;
  readonly questions: QuestionDesk;
  /** Masks secrets in what the server tells besides its results. */
  readonly redact: Redact;
  /** Milliseconds that it may stay unused; undefined = as long as the pool lets it. */
  readonly idleMs: number | undefined;
  /**
   * Milliseconds that a session's process stays when it is unused, and is not given up for others
   * either; null = it belongs to no session.
   */
  readonly keptMs: number | null;
}

type Listener = (notification: SessionNotification) => void;

/**
 * Hands a server's notifications to the run in flight. A notification says not which call it is
 * of: with several runs in flight it is nobody's, unless it tells that a list has changed.
 */
export class NotificationRelay {
  readonly #listeners = new Set<Listener>();
  #muted = false;

  /** Listens until what it returns is disposed of. */
  listen(listener: Listener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** From here on nothing is told but that a list has changed: nobody knows of which call it is. */
  mute(): void {
    this.#muted = true;
  }

  relay(notification: SessionNotification): void {
    const concernsAll = notification.method.endsWith("/list_changed");
    if (!concernsAll && (this.#muted || this.#listeners.size > 1)) return;
    for (const listener of this.#listeners) listener(notification);
  }
}
