import type { Finding, Severity } from "../config/finding.ts";
import { eachFinding, type FileReport, type ReportOptions } from "./file-report.ts";
import { regionOf } from "./region.ts";
import { countSeverities, summaryLine } from "./severity-counts.ts";
import { visible } from "./visible.ts";

const commands: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  info: "notice",
};

/** Annotations of one kind that GitHub shows for a step; the log holds all. */
const shownPerKind = 10;

/**
 * Workflow commands of GitHub Actions, one line a finding, and a summary as plain log line
 * (https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
 */
export function renderGithub(files: readonly FileReport[], options: ReportOptions): string {
  const lines: string[] = [];
  for (const { file, finding } of eachFinding(files)) lines.push(command(file, finding, options));
  return [...lines, summary(files), ""].join("\n");
}

function command(file: FileReport, finding: Finding, options: ReportOptions): string {
  const properties = [...place(file, finding), ["title", title(finding, options)] as const]
    .map(([name, value]) => `${name}=${escapeProperty(value)}`)
    .join(",");
  const parts = [finding.message, finding.hint].filter((part) => part !== "");
  const message = parts.map((part) => escapeData(visible(part))).join("%0A");
  return `::${commands[finding.severity]} ${properties}::${message}`;
}

function title(finding: Finding, { rules }: ReportOptions): string {
  const summaryOfRule = rules[finding.id]?.summary;
  return visible(summaryOfRule === undefined ? finding.id : `${finding.id} ${summaryOfRule}`);
}

/** The runner drops columns of places that span lines, so they are not written. */
function place(file: FileReport, finding: Finding): (readonly [string, string])[] {
  const named: (readonly [string, string])[] =
    file.path === "" ? [] : [["file", visible(file.path)]];
  const region = regionOf(finding);
  if (region === null) return named;
  const { start, end } = region;
  const line = ["line", String(start.line)] as const;
  const column = ["col", String(start.column)] as const;
  if (end === null) return [...named, line, column];
  const endLine = ["endLine", String(end.line)] as const;
  if (end.line > start.line) return [...named, line, endLine];
  return [...named, line, column, endLine, ["endColumn", String(end.column)]];
}

function summary(files: readonly FileReport[]): string {
  const crowded = Object.values(countSeverities(files)).some((count) => count > shownPerKind);
  const note = `GitHub shows the first ${shownPerKind} annotations of a kind, this log all`;
  return crowded ? `${summaryLine(files)} (${note})` : summaryLine(files);
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
