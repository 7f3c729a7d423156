import type { Severity } from "../config/finding.ts";
import { eachFinding, type FileReport } from "./file-report.ts";

type SeverityCounts = Readonly<Record<Severity, number>>;

export function countSeverities(files: readonly FileReport[]): SeverityCounts {
  const counts = { error: 0, warning: 0, info: 0 };
  for (const { finding } of eachFinding(files)) counts[finding.severity] += 1;
  return counts;
}

/** `2 errors, 1 warning, 0 infos in 3 files`. */
export function summaryLine(files: readonly FileReport[]): string {
  const { error, warning, info } = countSeverities(files);
  const parts = [plural(error, "error"), plural(warning, "warning"), plural(info, "info")];
  return `${parts.join(", ")} in ${plural(files.length, "file")}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
