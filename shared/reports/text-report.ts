import type { Finding } from "../config/finding.ts";
import { excerptOf } from "./excerpt.ts";
import { docsUrl, unnamedPath, type FileReport, type ReportOptions } from "./file-report.ts";
import { regionOf } from "./region.ts";
import { summaryLine } from "./severity-counts.ts";
import { visible, visibleAtLineStart } from "./visible.ts";

/** SGR parameters (ECMA-48 8.3.117). */
const colours = { error: "1;31", warning: "1;33", info: "1;36", strong: "1", dim: "2" } as const;

type Paint = (style: keyof typeof colours, text: string) => string;

/**
 * For people: `path:line:column severity id message`, the source line with carets, the hint, and
 * a summary line at the end.
 */
export function renderText(files: readonly FileReport[], options: ReportOptions): string {
  const paint: Paint = options.colour === true ? painted : (_style, text) => text;
  const blocks = files.flatMap((file) => {
    const lines = file.text === null ? [] : file.text.split("\n");
    return file.findings.map((finding) => block(file, lines, finding, options, paint));
  });
  return [...blocks, `${summaryLine(files)}\n`].join("\n");
}

function painted(style: keyof typeof colours, text: string): string {
  return `\u001b[${colours[style]}m${text}\u001b[0m`;
}

function block(
  file: FileReport,
  lines: readonly string[],
  finding: Finding,
  options: ReportOptions,
  paint: Paint,
): string {
  const url = docsUrl(finding.docs, options) ?? finding.docs;
  const notes = [
    ...(finding.hint === "" ? [] : [`hint: ${visible(finding.hint)}`]),
    `docs: ${visible(url)}`,
  ];
  return [
    headline(file, finding, paint),
    ...sourceLines(lines, finding, paint),
    ...notes.map((note) => `  ${paint("dim", "=")} ${note}`),
    "",
  ].join("\n");
}

function headline(file: FileReport, finding: Finding, paint: Paint): string {
  const path = visibleAtLineStart(file.path || unnamedPath);
  const numbers = [finding.line, finding.column].filter((number) => number !== null);
  const place = finding.line === null ? path : [path, ...numbers].join(":");
  const where =
    finding.line === null && finding.pointer !== "" ? ` (at ${visible(finding.pointer)})` : "";
  const label = paint(finding.severity, `${finding.severity} ${finding.id}`);
  return `${paint("strong", place)} ${label} ${visible(finding.message)}${where}`;
}

/** The source line with carets; nothing where the finding has no place in the text. */
function sourceLines(lines: readonly string[], finding: Finding, paint: Paint): string[] {
  const region = regionOf(finding);
  const source = region === null ? undefined : lines[region.start.line - 1];
  if (region === null || source === undefined) return [];
  const { line, marks } = excerptOf(source.replace(/\r$/, ""), region);
  const number = String(region.start.line);
  const margin = " ".repeat(number.length);
  return [
    `  ${paint("dim", `${number} |`)} ${line}`,
    `  ${paint("dim", `${margin} |`)} ${paint(finding.severity, marks)}`,
  ].map((text) => text.trimEnd());
}
