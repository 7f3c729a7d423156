import type { Finding } from "../config/finding.ts";
import { docsUrl, unnamedPath, type FileReport, type ReportOptions } from "./file-report.ts";
import { countSeverities } from "./severity-counts.ts";
import { visible } from "./visible.ts";

/**
 * JUnit XML in the elements and attributes of Jenkins' schema: a suite a file, a case a finding.
 * Errors fail; warnings and infos pass with their text as output, as they leave a file valid.
 */
export function renderJunit(files: readonly FileReport[], options: ReportOptions): string {
  const suites = files.map((file) => suite(file, options));
  const tests = files.reduce((sum, file) => sum + caseCount(file), 0);
  const failures = countSeverities(files).error;
  const attributes = attributeList({ name: "gangway", tests, failures, errors: 0 });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes}>`,
    ...suites,
    "</testsuites>",
    "",
  ].join("\n");
}

function suite(file: FileReport, options: ReportOptions): string {
  const name = visible(file.path || unnamedPath);
  const failures = countSeverities([file]).error;
  const attributes = attributeList({ name, tests: caseCount(file), failures, errors: 0 });
  const cases = file.findings.map((finding) => findingCase(name, finding, options));
  if (cases.length === 0) cases.push(openCase(name, "no findings", "/>"));
  return [`  <testsuite${attributes}>`, ...cases, "  </testsuite>"].join("\n");
}

/** A file without findings is one passed case, so that runs with nothing to tell are not empty. */
function caseCount(file: FileReport): number {
  return Math.max(1, file.findings.length);
}

function openCase(classname: string, name: string, end: string): string {
  return `    <testcase${attributeList({ name, classname })}${end}`;
}

function findingCase(classname: string, finding: Finding, options: ReportOptions): string {
  const name = `${finding.id} ${visible(finding.pointer)}`.trimEnd();
  const body = details(classname, finding, options).map(escapeXml).join("\n");
  return [
    openCase(classname, name, ">"),
    finding.severity === "error"
      ? `      <failure${attributeList({ type: finding.id, message: visible(finding.message) })}>${body}</failure>`
      : `      <system-out>${body}</system-out>`,
    "    </testcase>",
  ].join("\n");
}

function details(path: string, finding: Finding, options: ReportOptions): string[] {
  const { line, column } = finding;
  const place = line === null ? path : `${path}:${line}${column === null ? "" : `:${column}`}`;
  const lines = [`${finding.severity} ${finding.id} in ${place}`, visible(finding.message)];
  const told = finding.hint === "" ? [] : [`hint: ${visible(finding.hint)}`];
  return [
    lines.join(": "),
    ...told,
    `docs: ${visible(docsUrl(finding.docs, options) ?? finding.docs)}`,
  ];
}

function attributeList(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join("");
}

/** Of visible text, which holds no character that XML 1.0 forbids. */
function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
