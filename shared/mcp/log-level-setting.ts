import type { LogLevel } from "./log-levels.ts";
import type { OpenClient } from "./open-client.ts";
import { OperationDeadline } from "./operation-deadline.ts";
import { runOperation } from "./run-operation.ts";
import type { OperationOptions } from "./session-types.ts";

/** Setting a level is a courtesy: an operation does not wait longer for it. */
const longestMs = 1_000;

/**
 * The log level of a session of the legacy era, where a request of its own sets it for all that
 * follow. Only a server that says that it can log is asked, and only when the level changes.
 */
export class LogLevelSetting {
  #told: LogLevel | null = null;

  /** Never rejects: whoever gets records must filter them in any case. */
  async tell(open: OpenClient, target: string, options: OperationOptions): Promise<void> {
    const { logLevel: level, signal } = options;
    const canLog = open.info.era === "legacy" && "logging" in open.info.capabilities;
    if (level === undefined || level === this.#told || !canLog) return;
    this.#told = level;
    const limits = {
      timeoutMs: Math.min(longestMs, options.timeoutMs),
      ...(signal === undefined ? {} : { signal }),
    };
    using deadline = new OperationDeadline(limits);
    try {
      const request = { method: "logging/setLevel", params: { level }, target };
      await runOperation(open, request, limits, deadline);
    } catch {
      // A server that refuses goes on as it is; if the session has ended, the operation tells.
      this.#told = null;
    }
  }
}
