import type { Severity } from "../config/finding.ts";

/** SARIF's `level` of each severity (§3.27.10). */
export const sarifLevels = {
  error: "error",
  warning: "warning",
  info: "note",
} as const satisfies Readonly<Record<Severity, string>>;
