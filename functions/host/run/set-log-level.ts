import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import type { WarmServer } from "../pool/warm-server.ts";

/** Setting a level is a courtesy: the call does not wait longer for it. */
const longestMs = 1000;

/**
 * Asks a server of the legacy era for log records of the run's level, if it says that it can.
 * A server that refuses goes on as it is: its records are filtered by the relay anyway.
 */
export async function setLogLevel(
  { session }: WarmServer,
  { log_level, limits }: RunRequest,
): Promise<void> {
  const canLog = session.info?.era === "legacy" && "logging" in session.info.capabilities;
  if (log_level === null || !canLog) return;
  try {
    await session.request(
      "logging/setLevel",
      { level: log_level },
      { timeoutMs: Math.min(longestMs, limits.call_ms) },
    );
  } catch {
    // See above; if the session has ended, the operation itself tells.
  }
}
