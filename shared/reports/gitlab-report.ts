import type { Finding, Severity } from "../config/finding.ts";
import { advice } from "./advice.ts";
import { eachFinding, unnamedPath, type FileReport } from "./file-report.ts";
import { fingerprints } from "./fingerprint.ts";
import { harmlessJson } from "./harmless-json.ts";
import { regionOf } from "./region.ts";

const severities: Readonly<Record<Severity, string>> = {
  error: "major",
  warning: "minor",
  info: "info",
};

/** A code quality report (https://docs.gitlab.com/ci/testing/code_quality/). */
export function renderGitlab(files: readonly FileReport[]): string {
  const fingerprint = fingerprints();
  const issues = [...eachFinding(files)].map(({ file, finding }) => ({
    description: withoutMarkup(advice(finding)),
    check_name: finding.id,
    fingerprint: fingerprint(file, finding),
    severity: severities[finding.severity],
    location: { path: file.path.replace(/^(?:\.\/)+/, "") || unnamedPath, lines: lines(finding) },
  }));
  return harmlessJson(issues);
}

/** GitLab requires a line: a finding without a place stands at the first. */
function lines(finding: Finding) {
  const region = regionOf(finding);
  const begin = region?.start.line ?? 1;
  return region?.end ? { begin, end: region.end.line } : { begin };
}

/** GitLab's merge request widget reads descriptions as HTML with `%{…}` style marks. */
function withoutMarkup(text: string): string {
  return text.replaceAll("<", "‹").replaceAll(">", "›").replaceAll("%{", "% {");
}
