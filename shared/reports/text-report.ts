import type { Finding } from "../config/finding.ts";
import { excerptOf } from "./excerpt.ts";
import { docsUrl, unnamedPath, type FileReport, type ReportOptions } from "./file-report.ts";
import { lineBreak } from "./line-break.ts";
import { maskedText } from "./masked-text.ts";
import { regionOf } from "./region.ts";
import { summaryLine } from "./severity-counts.ts";
import { visible, visibleAtLineStart } from "./visible.ts";

/** SGR parameters (ECMA-48 8.3.117). */
const colours = { error: "1;31", warning: "1;33", info: "1;36", strong: "1", dim: "2" } as const;

type Paint = (style: keyof typeof colours, text: string) => string;

/** What the lines of one report share. */
interface Style {
  readonly options: ReportOptions;
  readonly paint: Paint;
}

/**
 * For people: `path:line:column severity id message`, the source line with carets, the hint, and
 * a summary line at the end. Credentials in source lines are masked.
 */
export function renderText(files: readonly FileReport[], options: ReportOptions): string {
  const style = { options, paint: options.colour === true ? painted : unpainted };
  const blocks = files.flatMap((file) => {
    const lines = file.text === null ? [] : maskedText(file).split(lineBreak);
    return file.findings.map((finding) =>
      [
        headline(file, finding, style),
        ...sourceLines(lines, finding, style),
        ...notes(finding, style),
        "",
      ].join("\n"),
    );
  });
  return [...blocks, `${summaryLine(files)}\n`].join("\n");
}

function painted(style: keyof typeof colours, text: string): string {
  return `\u001b[${colours[style]}m${text}\u001b[0m`;
}

function unpainted(_style: keyof typeof colours, text: string): string {
  return text;
}

function headline(file: FileReport, finding: Finding, { paint }: Style): string {
  const path = visibleAtLineStart(file.path || unnamedPath);
  const label = paint(finding.severity, `${finding.severity} ${finding.id}`);
  const message = visible(finding.message);
  if (finding.line === null) {
    const where = finding.pointer === "" ? "" : ` (at ${visible(finding.pointer)})`;
    return `${paint("strong", path)} ${label} ${message}${where}`;
  }
  const place = [path, finding.line, finding.column ?? 1].join(":");
  return `${paint("strong", place)} ${label} ${message}`;
}

/** The source line with carets; nothing where the finding has no place in the text. */
function sourceLines(lines: readonly string[], finding: Finding, { paint }: Style): string[] {
  const region = regionOf(finding);
  const source = region === null ? undefined : lines[region.start.line - 1];
  if (region === null || source === undefined) return [];
  const { line, marks } = excerptOf(source, region);
  const number = String(region.start.line);
  const margin = " ".repeat(number.length);
  return [
    `  ${paint("dim", `${number} |`)} ${line}`.trimEnd(),
    `  ${paint("dim", `${margin} |`)} ${paint(finding.severity, marks)}`,
  ];
}

function notes(finding: Finding, { options, paint }: Style): string[] {
  const page = docsUrl(finding.docs, options) ?? finding.docs;
  const told = finding.hint === "" ? [] : [`hint: ${finding.hint}`];
  return [...told, `docs: ${page}`].map((note) => `  ${paint("dim", "=")} ${visible(note)}`);
}
