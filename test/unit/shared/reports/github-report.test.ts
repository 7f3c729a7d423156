import { describe, expect, it } from "vitest";
import { renderGithub } from "../../../../shared/reports/github-report.ts";
import { parseWorkflowCommand } from "./workflow-command.ts";
import { file, finding, hostile, nowhere, options } from "./samples.ts";

function first(...args: Parameters<typeof renderGithub>): string {
  return renderGithub(...args).split("\n")[0] ?? "";
}

describe("renderGithub", () => {
  it("writes a command a finding and a summary", () => {
    const findings = [
      finding(),
      finding({ severity: "warning", hint: "" }),
      finding({ severity: "info", ...nowhere }),
    ];
    const place = "file=mcp.yaml,line=2,col=10,endLine=2,endColumn=14";
    expect(renderGithub([file({ findings })], options)).toBe(
      [
        `::error ${place},title=GW203 Unpinned package::The package is not pinned%0AWrite the version.`,
        `::warning ${place},title=GW203 Unpinned package::The package is not pinned`,
        "::notice file=mcp.yaml,title=GW203 Unpinned package::The package is not pinned%0AWrite the version.",
        "1 error, 1 warning, 1 info in 1 file",
        "",
      ].join("\n"),
    );
  });

  it("leaves columns out of places that span lines, as the runner drops them", () => {
    const line = first([file({ findings: [finding({ end_line: 4 })] })], options);
    expect(line).toContain("line=2,endLine=4,title=");
  });

  it("leaves an end before the start out", () => {
    const line = first([file({ findings: [finding({ end_column: 3 })] })], options);
    expect(line).toContain("line=2,col=10,title=");
  });

  it("writes no file for a document without a name, and the bare id for an unknown rule", () => {
    const line = first([file({ path: "", findings: [finding({ id: "GW999" })] })], { rules: {} });
    expect(line.startsWith("::error line=2,col=10,endLine=2,endColumn=14,title=GW999::")).toBe(
      true,
    );
  });

  it.each(hostile)("keeps %j inside its command", (text) => {
    const findings = [finding({ message: text, hint: text })];
    const lines = renderGithub([file({ path: text, findings })], options).split("\n");
    expect(lines).toHaveLength(3);
    const parsed = parseWorkflowCommand(lines[0] ?? "");
    expect(parsed?.command).toBe("error");
    expect(Object.keys(parsed?.properties ?? {})).toEqual([
      "file",
      "line",
      "col",
      "endLine",
      "endColumn",
      "title",
    ]);
    expect(parsed?.data.split("\n")).toHaveLength(2);
  });

  it("gives the runner back what it was given", () => {
    const path = "dir,a:b%0A=c.json";
    const findings = [finding({ message: "100%0A, a: b", hint: "" })];
    const parsed = parseWorkflowCommand(first([file({ path, findings })], options));
    expect(parsed?.properties["file"]).toBe(path);
    expect(parsed?.data).toBe("100%0A, a: b");
  });

  it("tells that GitHub shows ten annotations of a kind", () => {
    const findings = Array.from({ length: 11 }, () => finding());
    expect(renderGithub([file({ findings })], options)).toContain(
      "11 errors, 0 warnings, 0 infos in 1 file (GitHub shows the first 10 annotations of a kind, this log all)",
    );
  });
});
