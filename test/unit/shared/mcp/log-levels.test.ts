import { describe, expect, it } from "vitest";
import { isAtLeast, isLogLevel, logLevels, severity } from "../../../../shared/mcp/log-levels.ts";

describe("log levels", () => {
  it("map MCP's eight to five", () => {
    expect(logLevels.map(severity)).toEqual([
      "debug",
      "info",
      "info",
      "warning",
      "error",
      "critical",
      "critical",
      "critical",
    ]);
  });

  it("are ordered by severity", () => {
    expect(isAtLeast("warning", "notice")).toBe(true);
    expect(isAtLeast("notice", "notice")).toBe(true);
    expect(isAtLeast("info", "notice")).toBe(false);
  });

  it.each([["warn"], ["INFO"], [5], [null], ["constructor"]])("do not hold %j", (value) => {
    expect(isLogLevel(value)).toBe(false);
  });
});
