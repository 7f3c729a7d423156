/** Why the host stopped a process itself. */
export type StopCause =
  | "idle"
  | "evicted"
  | "retired"
  | "start-failed"
  | "shutdown"
  | "session-closed"
  /** The caller has ended the session that the process was kept for. */
  | "session-ended"
  /** It wrote a line without an end. */
  | "flood"
  /** It does not read what is written to it. */
  | "stdin-blocked";

/** How a process ended; recorded once. */
export type EndReason =
  /** By itself, by exit or by a signal that was not ours. */
  | { readonly kind: "exited"; readonly exitCode: number | null; readonly signal: string | null }
  /** It lives on but has closed its stdout: it can answer nothing any more. */
  | { readonly kind: "closed-stdout" }
  /** It never ran; `errno` is the system's name of the reason. */
  | { readonly kind: "spawn-failed"; readonly errno: string }
  | { readonly kind: "stopped"; readonly cause: StopCause };

/** Whether it ended by its own fault: by itself, or since it could not be used any more. */
export function isCrash(end: EndReason): boolean {
  return end.kind !== "stopped" || end.cause === "flood" || end.cause === "stdin-blocked";
}

/** The same as one word of a closed set, for counting. */
export function endLabel(end: EndReason): string {
  if (end.kind === "stopped") return end.cause;
  if (end.kind === "exited") return end.signal === null ? "exit" : "signal";
  return end.kind;
}

/** What the names alone do not tell. */
const stopTexts: Partial<Record<StopCause, string>> = {
  idle: "it was not used for as long as it may be",
  "session-ended": "its session was ended",
  flood: "it wrote a line without an end",
  "stdin-blocked": "it does not read its stdin",
};

/** How a process ended, as the end of a sentence that begins with the process. */
export function describeEnd(end: EndReason): string {
  switch (end.kind) {
    case "exited":
      return end.signal === null
        ? `exited with code ${end.exitCode}`
        : `was ended by ${end.signal}`;
    case "closed-stdout":
      return "closed its stdout";
    case "spawn-failed":
      return `could not be started (${end.errno})`;
    case "stopped":
      return `was stopped by the host (${stopTexts[end.cause] ?? end.cause})`;
  }
}

/** The same as facts of an error. */
export function endDetails(end: EndReason): Record<string, unknown> {
  switch (end.kind) {
    case "exited":
      return { exit_code: end.exitCode, signal: end.signal };
    case "spawn-failed":
      return { errno: end.errno };
    case "closed-stdout":
      return { reason: "closed-stdout" };
    case "stopped":
      return { reason: `stopped:${end.cause}` };
  }
}
