import { describe, expect, it } from "vitest";
import { renderText } from "../../../../shared/reports/text-report.ts";
import { file, finding, nowhere, options } from "./samples.ts";

describe("renderText", () => {
  it("shows place, severity, rule, message, source line, caret and hint (case 31)", () => {
    expect(renderText([file({ findings: [finding()] })], options)).toBe(
      [
        "mcp.yaml:2:10 error GW203 The package is not pinned",
        "  2 |   args: [tool]",
        "    |          ^^^^",
        "  = hint: Write the version.",
        "  = docs: https://gangway.example/docs/reference/rules/GW203.md",
        "",
        "1 error, 0 warnings, 0 infos in 1 file",
        "",
      ].join("\n"),
    );
  });

  it("names the pointer where a finding has no place", () => {
    const text = renderText([file({ text: null, findings: [finding(nowhere)] })], { rules: {} });
    expect(text).toBe(
      [
        "mcp.yaml error GW203 The package is not pinned (at /mcp_servers/0/args/1)",
        "  = hint: Write the version.",
        "  = docs: docs/reference/rules/GW203.md",
        "",
        "1 error, 0 warnings, 0 infos in 1 file",
        "",
      ].join("\n"),
    );
  });

  it("writes only the summary when there is nothing to tell", () => {
    expect(renderText([], options)).toBe("0 errors, 0 warnings, 0 infos in 0 files\n");
    expect(renderText([file()], options)).toBe("0 errors, 0 warnings, 0 infos in 1 file\n");
  });

  it("counts severities over several files", () => {
    const findings = [finding({ severity: "warning" }), finding({ severity: "info" })];
    const text = renderText([file({ findings }), file({ path: "b", findings })], options);
    expect(text).toContain("0 errors, 2 warnings, 2 infos in 2 files");
  });

  it("takes lines ended by LF, CRLF and CR as the validator counts them", () => {
    const text = "one\rtwo\r\nthree\nfour";
    const findings = [finding({ line: 4, column: 1, end_line: 4, end_column: 5 })];
    expect(renderText([file({ text, findings })], options)).toContain("  4 | four\n    | ^^^^\n");
  });

  it("leaves the excerpt out where the line does not exist", () => {
    const text = renderText([file({ findings: [finding({ line: 99, end_line: 99 })] })], options);
    expect(text).not.toContain(" | ");
  });

  it("never shows a credential of the source line", () => {
    const source = "a:\n  token: s3cret-v4lue\n";
    const place = { line: 2, column: 10, end_line: 2, end_column: 22 };
    const findings = [finding({ id: "GW401", ...place }), finding({ column: 3, end_column: 8 })];
    const text = renderText([file({ text: source, findings })], options);
    expect(text).toContain("token: ••••••••••••");
    expect(text).not.toContain("s3cret");
  });

  it("colours only when told to", () => {
    const files = [file({ findings: [finding()] })];
    expect(renderText(files, options)).not.toContain("\u001b");
    const coloured = renderText(files, { ...options, colour: true });
    expect(coloured).toContain("\u001b[1;31merror GW203\u001b[0m");
    expect(coloured.replaceAll("\u001b", "").replaceAll(/\[[\d;]*m/g, "")).toBe(
      renderText(files, options),
    );
  });

  it("does not let a path begin a workflow command", () => {
    const text = renderText([file({ path: " ::error::x", findings: [finding()] })], options);
    expect(text.startsWith("./ ::error::x:2:10 ")).toBe(true);
  });
});
