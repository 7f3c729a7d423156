import { describe, expect, it } from "vitest";
import { renderRdjson } from "../../../../shared/reports/rdjson-report.ts";
import { file, finding, hostile, nowhere, options } from "./samples.ts";

interface Diagnostic {
  readonly message: string;
  readonly location: { readonly path: string; readonly range?: unknown };
  readonly severity: string;
}

function diagnostics(...args: Parameters<typeof renderRdjson>): Diagnostic[] {
  return (JSON.parse(renderRdjson(...args)) as { diagnostics: Diagnostic[] }).diagnostics;
}

describe("renderRdjson", () => {
  it("writes a diagnostic result", () => {
    expect(JSON.parse(renderRdjson([file({ findings: [finding()] })], options))).toEqual({
      source: { name: "gangway" },
      diagnostics: [
        {
          message: "The package is not pinned\n\nWrite the version.",
          location: {
            path: "mcp.yaml",
            range: { start: { line: 2, column: 10 }, end: { line: 2, column: 14 } },
          },
          severity: "ERROR",
          code: { value: "GW203", url: "https://gangway.example/docs/reference/rules/GW203.md" },
        },
      ],
    });
  });

  it("counts columns in UTF-8 bytes", () => {
    const findings = [finding({ line: 1, column: 2, end_line: 1, end_column: 4 })];
    expect(diagnostics([file({ text: "a𐐀b", findings })], options)[0]?.location.range).toEqual({
      start: { line: 1, column: 2 },
      end: { line: 1, column: 6 },
    });
  });

  it("names whole lines where the text is not known", () => {
    const findings = [finding({ end_line: 4, end_column: 1 }), finding({ end_line: null })];
    const ranges = diagnostics([file({ text: null, findings })], options);
    expect(ranges.map(({ location }) => location.range)).toEqual([
      { start: { line: 2 }, end: { line: 3 } },
      { start: { line: 2 } },
    ]);
  });

  it("leaves the range out where there is no place", () => {
    const [diagnostic] = diagnostics([file({ findings: [finding(nowhere)] })], { rules: {} });
    expect(diagnostic?.location).toEqual({ path: "mcp.yaml" });
  });

  it.each(["warning", "info"] as const)("calls severity %s by its upper case", (severity) => {
    const [diagnostic] = diagnostics([file({ findings: [finding({ severity })] })], options);
    expect(diagnostic?.severity).toBe(severity.toUpperCase());
  });

  it("answers no diagnostics for no findings", () => {
    expect(renderRdjson([file()], options)).toBe(
      '{"source":{"name":"gangway"},"diagnostics":[]}\n',
    );
  });

  it.each(hostile)("puts %j into code spans of the comment", (text) => {
    const findings = [finding({ message: text, hint: text })];
    const [diagnostic] = diagnostics([file({ findings })], options);
    for (const paragraph of diagnostic?.message.split("\n\n") ?? [])
      expect(paragraph).toMatch(/^(`+)(?!`).*(?<!`)\1$/u);
  });
});
