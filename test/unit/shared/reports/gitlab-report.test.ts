import { describe, expect, it } from "vitest";
import { renderGitlab } from "../../../../shared/reports/gitlab-report.ts";
import { file, finding, hostile, nowhere } from "./samples.ts";

interface Issue {
  readonly description: string;
  readonly fingerprint: string;
  readonly location: { readonly path: string; readonly lines: unknown };
}

function issues(...args: Parameters<typeof renderGitlab>): Issue[] {
  return JSON.parse(renderGitlab(...args)) as Issue[];
}

describe("renderGitlab", () => {
  it("writes the fields that GitLab reads", () => {
    expect(issues([file({ path: "./a/mcp.yaml", findings: [finding()] })])).toEqual([
      {
        description: "The package is not pinned. Write the version.",
        check_name: "GW203",
        fingerprint: expect.stringMatching(/^[\da-f]{32}$/) as unknown,
        severity: "major",
        location: { path: "a/mcp.yaml", lines: { begin: 2, end: 2 } },
      },
    ]);
  });

  it.each([
    ["error", "major"],
    ["warning", "minor"],
    ["info", "info"],
  ] as const)("calls severity %s %s", (severity, name) => {
    expect(issues([file({ findings: [finding({ severity })] })])).toMatchObject([
      { severity: name },
    ]);
  });

  it("puts findings without a place on the first line, as GitLab requires one", () => {
    expect(issues([file({ path: "", findings: [finding(nowhere)] })])[0]?.location).toEqual({
      path: "document",
      lines: { begin: 1 },
    });
  });

  it("gives every finding its own fingerprint", () => {
    const files = [
      file({ findings: [finding(), finding(), finding({ line: 9 })] }),
      file({ path: "b.yaml", findings: [finding()] }),
    ];
    expect(new Set(issues(files).map((issue) => issue.fingerprint)).size).toBe(4);
  });

  it("answers an empty list for no findings", () => {
    expect(renderGitlab([file()])).toBe("[]\n");
  });

  it.each(hostile)("leaves %j no markup of the merge request widget", (text) => {
    const [issue] = issues([file({ findings: [finding({ message: text, hint: text })] })]);
    expect(issue?.description).not.toMatch(/[<>\p{Cc}\p{Cf}]|%\{/u);
  });
});
