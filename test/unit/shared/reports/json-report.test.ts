import { describe, expect, it } from "vitest";
import { renderJson } from "../../../../shared/reports/json-report.ts";
import { file, finding, hostile } from "./samples.ts";

describe("renderJson", () => {
  it("writes findings as they are, with the facts of the file", () => {
    const findings = [finding({ message: hostile.join("") })];
    const text = renderJson([
      file({ findings, facts: { dialect: "native" } }),
      file({ path: "b" }),
    ]);
    expect(JSON.parse(text)).toEqual({
      valid: false,
      files: [
        { path: "mcp.yaml", valid: false, dialect: "native", findings },
        { path: "b", valid: true, findings: [] },
      ],
    });
  });

  it("calls a file valid that has warnings only", () => {
    const findings = [finding({ severity: "warning" }), finding({ severity: "info" })];
    expect(JSON.parse(renderJson([file({ findings })]))).toMatchObject({ valid: true });
  });

  it("calls no files valid", () => {
    expect(renderJson([])).toBe('{"valid":true,"files":[]}\n');
  });
});
