/** MCP's levels, the least severe first (RFC 5424 §6.2.1). */
export const logLevels = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;
export type LogLevel = (typeof logLevels)[number];

/** Levels as Gangway tells them: the five that log libraries commonly have. */
export const severities = ["debug", "info", "warning", "error", "critical"] as const;
export type Severity = (typeof severities)[number];

const severityOf: Readonly<Record<LogLevel, Severity>> = {
  debug: "debug",
  info: "info",
  notice: "info",
  warning: "warning",
  error: "error",
  critical: "critical",
  alert: "critical",
  emergency: "critical",
};

export function isLogLevel(value: unknown): value is LogLevel {
  return logLevels.some((level) => level === value);
}

export function severity(level: LogLevel): Severity {
  return severityOf[level];
}

/** `level` is as severe as `least`, or more. */
export function isAtLeast(level: LogLevel, least: LogLevel): boolean {
  return logLevels.indexOf(level) >= logLevels.indexOf(least);
}
