import type { WarmServer } from "../pool/warm-server.ts";
import type { Run } from "./run-operation.ts";

/** Setting a level is a courtesy: the call does not wait longer for it. */
const longestMs = 1000;

/**
 * Asks a server of the legacy era for log records of the run's level, if it says that it can.
 * A server that refuses goes on as it is: its records are filtered by the relay anyway.
 */
export async function setLogLevel(
  { session }: WarmServer,
  { request, signal }: Run,
): Promise<void> {
  const { log_level: level, limits } = request;
  const canLog = session.info?.era === "legacy" && "logging" in session.info.capabilities;
  if (level === null || !canLog) return;
  const timeoutMs = Math.min(longestMs, limits.call_ms);
  try {
    await session.request("logging/setLevel", { level }, { timeoutMs, signal });
  } catch {
    // See above; if the session has ended, the operation itself tells.
  }
}
