import type { Finding, Severity } from "../config/finding.ts";
import type { Position } from "../config/tree/line-index.ts";
import { docsUrl, unnamedPath, type FileReport, type ReportOptions } from "./file-report.ts";
import { harmlessJson } from "./harmless-json.ts";
import { markdownLiteral } from "./markdown.ts";
import { regionOf } from "./region.ts";
import { utf8Columns, type Utf8Column } from "./utf8-columns.ts";
import { visible } from "./visible.ts";

const severities: Readonly<Record<Severity, string>> = {
  error: "ERROR",
  warning: "WARNING",
  info: "INFO",
};

/**
 * A DiagnosticResult of reviewdog's diagnostic format
 * (https://github.com/reviewdog/reviewdog/tree/master/proto/rdf). Columns are UTF-8 bytes.
 */
export function renderRdjson(files: readonly FileReport[], options: ReportOptions): string {
  const diagnostics = files.flatMap((file) => {
    const column = file.text === null ? null : utf8Columns(file.text);
    return file.findings.map((finding) => diagnostic(file, finding, column, options));
  });
  return harmlessJson({ source: { name: "gangway" }, diagnostics });
}

function diagnostic(
  file: FileReport,
  finding: Finding,
  column: Utf8Column | null,
  options: ReportOptions,
) {
  const url = docsUrl(finding.docs, options);
  const range = rangeOf(finding, column);
  return {
    message: message(finding),
    location: { path: file.path || unnamedPath, ...(range === null ? {} : { range }) },
    severity: severities[finding.severity],
    code: { value: finding.id, ...(url === undefined ? {} : { url }) },
  };
}

/** Reviewdog posts messages as Markdown comments. */
function message({ message: text, hint }: Finding): string {
  const parts = [text, hint].filter((part) => part !== "");
  return parts.map((part) => markdownLiteral(visible(part))).join("\n\n");
}

/** Without the text, byte columns are not known: then the range names whole lines. */
function rangeOf(finding: Finding, column: Utf8Column | null) {
  const region = regionOf(finding);
  if (region === null) return null;
  const start = position(region.start, column);
  const end = region.end === null ? null : position(region.end, column);
  if (start.column !== undefined && end?.column !== undefined) return { start, end };
  if (region.end === null) return { start };
  return { start: { line: region.start.line }, end: { line: lastLine(region.start, region.end) } };
}

function position(at: Position, column: Utf8Column | null): { line: number; column?: number } {
  const bytes = column?.(at) ?? null;
  return bytes === null ? { line: at.line } : { line: at.line, column: bytes };
}

/** A range of whole lines includes its end, a place that ends in column 1 does not touch it. */
function lastLine(start: Position, end: Position): number {
  return end.column === 1 && end.line > start.line ? end.line - 1 : end.line;
}
