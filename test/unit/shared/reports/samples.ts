import type { Finding } from "../../../../shared/config/finding.ts";
import type { FileReport, ReportOptions } from "../../../../shared/reports/file-report.ts";

export function finding(changes: Partial<Finding> = {}): Finding {
  return {
    id: "GW203",
    severity: "error",
    message: "The package is not pinned",
    hint: "Write the version.",
    pointer: "/mcp_servers/0/args/1",
    line: 2,
    column: 10,
    end_line: 2,
    end_column: 14,
    docs: "docs/reference/rules/GW203.md",
    ...changes,
  };
}

/** As findings of a config that came as an object. */
export const nowhere = { line: null, column: null, end_line: null, end_column: null } as const;

export function file(changes: Partial<FileReport> = {}): FileReport {
  return { path: "mcp.yaml", text: "servers:\n  args: [tool]\n", findings: [], ...changes };
}

export const options: ReportOptions = {
  rules: {
    GW203: { summary: "Unpinned package", hint: "Pin packages.", severity: "warning" },
    GW401: { summary: "Credential in the config", hint: "Store it.", severity: "error" },
  },
  docsBaseUrl: "https://gangway.example/",
  version: "0.1.0",
};

/** Text that tries to be a command, a control sequence or markup to one consumer or another. */
export const hostile = [
  "a\n::stop-commands::x",
  "\r\n::add-mask::y",
  "::error::z",
  "\u3000::set-output name=a::b",
  "##[group]fake",
  "##vso[task.setvariable variable=a]b",
  "\u001b[2J\u001b]0;title\u0007",
  "\u009b31m",
  "\u202Eevil\u2066\u200B\u{E0041}",
  "]]><script>alert(1)</script>",
  "<img src=x onerror=alert(1)> & \"quoted\" 'single'",
  "| a | b |",
  "[click](https://evil.example)",
  "@everyone #1 `x` ``y``",
  "%{danger_start}x%{danger_end}",
  "100%0A::warning::",
  "\uD800 lone \uDC00 \uFFFE\uFFFF\u0000",
] as const;
