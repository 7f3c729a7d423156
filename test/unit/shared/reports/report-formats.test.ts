import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Severity } from "../../../../shared/config/finding.ts";
import type { FileReport } from "../../../../shared/reports/file-report.ts";
import {
  isReportFormat,
  reportFormats,
  type ReportFormatName,
} from "../../../../shared/reports/report-formats.ts";
import { holdsBracketCommand, parseWorkflowCommand } from "./workflow-command.ts";
import { file, finding, hostile, options } from "./samples.ts";

const names = Object.keys(reportFormats).filter(isReportFormat);

const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ unit: "binary" })), { maxLength: 4 })
  .map((parts) => parts.join(""));
const severity = fc.constantFrom<Severity>("error", "warning", "info");
const place = fc.record({
  line: fc.option(fc.integer({ min: 1, max: 9 })),
  column: fc.integer({ min: 1, max: 60 }),
  end_line: fc.option(fc.integer({ min: 1, max: 9 })),
  end_column: fc.integer({ min: 1, max: 60 }),
});
const hostileFinding = fc
  .tuple(severity, place, hostileText, hostileText, hostileText)
  .map(([grade, where, message, hint, pointer]) =>
    finding({ severity: grade, ...where, message, hint, pointer }),
  );
const hostileFile = fc.record({
  path: hostileText,
  text: fc.option(hostileText),
  findings: fc.array(hostileFinding, { maxLength: 4 }),
});

/** Commands of a log that a report did not mean to give. */
function strayCommands(name: ReportFormatName, document: string): string[] {
  const meant = name === "github" ? new Set(["error", "warning", "notice"]) : new Set<string>();
  return document.split("\n").filter((line) => {
    const command = parseWorkflowCommand(line);
    return holdsBracketCommand(line) || (command !== null && !meant.has(command.command));
  });
}

/** 30,000 findings on one line of 1 MiB: where any step costs the line, this takes minutes. */
const crowd = Array.from({ length: 30_000 }, (_one, index) => {
  const column = index * 30 + 1;
  const id = index % 2 === 0 ? "GW401" : "GW203";
  return finding({ id, line: 1, column, end_line: 1, end_column: column + 20 });
});
const crowded: FileReport[] = [file({ text: "é\t日😀x".repeat(180_000), findings: crowd })];

describe.each(names)("the %s report", (name) => {
  const { render, contentType } = reportFormats[name];

  it("holds no raw ESC, CR or hidden character and no stray command, whatever it reports", () => {
    fc.assert(
      fc.property(fc.array(hostileFile, { maxLength: 3 }), (files) => {
        const document = render(files, options);
        expect(document.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(strayCommands(name, document)).toEqual([]);
      }),
    );
  });

  it("is the same for the same results and ends with a line feed", () => {
    const files = [file({ findings: [finding(), finding()] }), file({ path: "b.yaml" })];
    expect(render(files, options)).toBe(render(files, options));
    expect(render(files, options).endsWith("\n")).toBe(true);
    expect(render([], options).endsWith("\n")).toBe(true);
  });

  it("takes 30,000 findings on a line of a megabyte in linear time", { timeout: 10_000 }, () => {
    expect(render(crowded, options).length).toBeGreaterThan(1_000_000);
  });

  it("names its content type", () => {
    expect(contentType).toMatch(/^(?:text|application)\/[\w+-]+/);
  });
});

describe("reportFormats", () => {
  it("knows the seven formats", () => {
    expect(names).toEqual(["json", "text", "sarif", "github", "gitlab", "junit", "rdjson"]);
  });

  it.each(["toString", "__proto__", "JSON", ""])("does not know %j", (name) => {
    expect(isReportFormat(name)).toBe(false);
  });
});

describe("the check for stray commands", () => {
  it.each(["::stop-commands::x", " ::add-mask::y", "a ##[group]b"])("sees %j", (line) => {
    expect(strayCommands("github", line)).toEqual([line]);
  });

  it("lets annotations pass in the github report alone", () => {
    expect(strayCommands("github", "::error title=a::b")).toEqual([]);
    expect(strayCommands("text", "::error title=a::b")).toHaveLength(1);
  });
});
