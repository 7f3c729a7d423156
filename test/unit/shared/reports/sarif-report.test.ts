import { describe, expect, it } from "vitest";
import { renderSarif, sarifResultLimit } from "../../../../shared/reports/sarif-report.ts";
import { file, finding, hostile, nowhere, options } from "./samples.ts";

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region?: unknown;
    };
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly invocations: readonly {
    readonly toolExecutionNotifications?: readonly {
      readonly message: { readonly text: string };
    }[];
  }[];
  readonly artifacts: readonly unknown[];
  readonly results: readonly Result[];
}

function run(...args: Parameters<typeof renderSarif>): Run {
  const log = JSON.parse(renderSarif(...args)) as { runs: Run[] };
  const [only] = log.runs;
  if (only === undefined || log.runs.length !== 1) throw new TypeError("not one run");
  return only;
}

function uriOf(path: string): string | undefined {
  const [result] = run([file({ path, findings: [finding()] })], options).results;
  return result?.locations[0]?.physicalLocation.artifactLocation.uri;
}

describe("renderSarif", () => {
  it("writes one run of the tool with rules, artifacts and results", () => {
    const files = [file({ findings: [finding()] }), file({ path: "ok.yaml" })];
    expect(run(files, options)).toEqual({
      tool: {
        driver: {
          name: "gangway",
          version: "0.1.0",
          rules: [
            {
              id: "GW203",
              shortDescription: { text: "Unpinned package" },
              help: { text: "Pin packages." },
              helpUri: "https://gangway.example/docs/reference/rules/GW203.md",
              defaultConfiguration: { level: "warning" },
              properties: { tags: ["mcp", "configuration"] },
            },
          ],
        },
      },
      columnKind: "utf16CodeUnits",
      newlineSequences: ["\r\n", "\n", "\r"],
      invocations: [{ executionSuccessful: true }],
      artifacts: [{ location: { uri: "mcp.yaml" } }, { location: { uri: "ok.yaml" } }],
      results: [
        {
          ruleId: "GW203",
          ruleIndex: 0,
          level: "error",
          message: { text: "The package is not pinned. Write the version." },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: "mcp.yaml" },
                region: { startLine: 2, startColumn: 10, endLine: 2, endColumn: 14 },
              },
              logicalLocations: [{ fullyQualifiedName: "/mcp_servers/0/args/1" }],
            },
          ],
          partialFingerprints: {
            "gangwayFinding/v1": expect.stringMatching(/^[\da-f]{32}$/) as unknown,
          },
        },
      ],
    });
  });

  it("leaves the region out where there is no place, its end where that is not known", () => {
    const findings = [finding(nowhere), finding({ end_line: null, end_column: null })];
    const regions = run([file({ findings })], options).results.map(
      (result) => result.locations[0]?.physicalLocation.region,
    );
    expect(regions).toEqual([undefined, { startLine: 2, startColumn: 10 }]);
  });

  it.each([
    ["./a/b.yaml", "a/b.yaml"],
    ["a b/c#d?.yaml", "a%20b/c%23d%3F.yaml"],
    ["c:/x.yaml", "c%3A/x.yaml"],
    ["/abs/x.yaml", "file:///abs/x.yaml"],
    ["\uD800.yaml", "%EF%BF%BD.yaml"],
    ["", "document"],
  ])("writes the path %j as URI %s", (path, uri) => {
    expect(uriOf(path)).toBe(uri);
  });

  it("points each result at its rule, also at one it knows nothing of", () => {
    const findings = [finding(), finding({ id: "GW999" }), finding({ id: "GW401" }), finding()];
    const { tool, results } = run([file({ findings })], { rules: options.rules });
    const ids = results.map((result) => tool.driver.rules[result.ruleIndex]?.id);
    expect(ids).toEqual(["GW203", "GW999", "GW401", "GW203"]);
    expect(tool.driver.rules.filter((rule) => "helpUri" in rule)).toEqual([]);
  });

  it("names a file once that is reported twice", () => {
    expect(run([file(), file()], options).artifacts).toHaveLength(1);
  });

  it("keeps fingerprints when lines are put before", () => {
    const prints = (line: number) =>
      run([file({ findings: [finding({ line, end_line: line })] })], options).results.map(
        (result) => result.partialFingerprints,
      );
    expect(prints(2)).toEqual(prints(77));
  });

  it.each(hostile)("makes no link and no control character of %j", (text) => {
    const [result] = run([file({ findings: [finding({ message: text })] })], options).results;
    expect(result?.message.text).not.toMatch(/\]\(|[\p{Cc}\p{Cf}]/u);
  });

  it("holds all results at the limit and says nothing", () => {
    const findings = Array.from({ length: sarifResultLimit }, () => finding());
    const { results, invocations } = run([file({ findings })], options);
    expect(results).toHaveLength(sarifResultLimit);
    expect(invocations).toEqual([{ executionSuccessful: true }]);
  });

  it("keeps the gravest above the limit and tells how many are left out", () => {
    const findings = Array.from({ length: sarifResultLimit }, () => finding({ severity: "info" }));
    findings.push(finding({ severity: "warning" }), finding());
    const { results, invocations } = run([file({ findings })], options);
    expect(results).toHaveLength(sarifResultLimit);
    expect(results.slice(0, 3).map((result) => result.level)).toEqual(["error", "warning", "note"]);
    expect(invocations[0]?.toolExecutionNotifications?.[0]?.message.text).toMatch(
      /^2 findings are left out/,
    );
  });
});
