import type { Finding, Severity } from "../config/finding.ts";
import { advice } from "./advice.ts";
import { artifactUri } from "./artifact-uri.ts";
import { eachFinding, type FileReport, type ReportOptions } from "./file-report.ts";
import { fingerprints } from "./fingerprint.ts";
import { harmlessJson } from "./harmless-json.ts";
import { regionOf } from "./region.ts";
import { sarifLevels } from "./sarif-level.ts";
import { sarifRule } from "./sarif-rule.ts";
import { visible } from "./visible.ts";

/** Results of one run that GitHub's code scanning accepts. */
export const sarifResultLimit = 25_000;

const schema =
  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

interface Entry {
  readonly file: FileReport;
  readonly finding: Finding;
  readonly fingerprint: string;
}

/**
 * A SARIF 2.1.0 log of one run (https://docs.oasis-open.org/sarif/sarif/v2.1.0/). Above
 * {@link sarifResultLimit} results the gravest stay, and a notification tells how many are left
 * out.
 */
export function renderSarif(files: readonly FileReport[], options: ReportOptions): string {
  const entries = entriesOf(files);
  const kept = gravest(entries);
  const rules = new Map(kept.map(({ finding }) => [finding.id, sarifRule(finding, options)]));
  const indexes = new Map([...rules.keys()].map((id, index) => [id, index]));
  const run = {
    tool: { driver: { name: "gangway", ...versionOf(options), rules: [...rules.values()] } },
    columnKind: "utf16CodeUnits",
    newlineSequences: ["\r\n", "\n", "\r"],
    invocations: [{ executionSuccessful: true, ...leftOut(entries.length - kept.length) }],
    artifacts: [...new Set(files.map(artifactUri))].map((uri) => ({ location: { uri } })),
    results: kept.map((entry) => resultOf(entry, indexes)),
  };
  return harmlessJson({ $schema: schema, version: "2.1.0", runs: [run] });
}

function entriesOf(files: readonly FileReport[]): Entry[] {
  const fingerprint = fingerprints();
  return [...eachFinding(files)].map(({ file, finding }) => ({
    file,
    finding,
    fingerprint: fingerprint(file, finding),
  }));
}

function gravest(entries: readonly Entry[]): readonly Entry[] {
  if (entries.length <= sarifResultLimit) return entries;
  return entries
    .toSorted((one, other) => ranks[one.finding.severity] - ranks[other.finding.severity])
    .slice(0, sarifResultLimit);
}

function versionOf({ version }: ReportOptions) {
  return version === undefined ? {} : { version };
}

function leftOut(count: number) {
  if (count === 0) return {};
  const text = `${count} findings are left out: a SARIF run holds at most ${sarifResultLimit}. The gravest are kept; mend them and validate again.`;
  return { toolExecutionNotifications: [{ level: "warning", message: { text } }] };
}

/** The fingerprint has a name of its own: GitHub computes `primaryLocationLineHash` by itself. */
function resultOf({ file, finding, fingerprint }: Entry, indexes: ReadonlyMap<string, number>) {
  return {
    ruleId: finding.id,
    ruleIndex: indexes.get(finding.id),
    level: sarifLevels[finding.severity],
    message: { text: withoutLinks(advice(finding)) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: artifactUri(file) },
          ...regionMember(finding),
        },
        logicalLocations: [{ fullyQualifiedName: visible(finding.pointer) }],
      },
    ],
    partialFingerprints: { "gangwayFinding/v1": fingerprint },
  };
}

/** Columns are UTF-16 units and `endColumn` is exclusive, as ours (§3.30.8). */
function regionMember(finding: Finding) {
  const region = regionOf(finding);
  if (region === null) return {};
  const { start, end } = region;
  const begin = { startLine: start.line, startColumn: start.column };
  return {
    region: end === null ? begin : { ...begin, endLine: end.line, endColumn: end.column },
  };
}

/** Viewers make links of `[text](target)` in plain messages (§3.11.6). */
function withoutLinks(text: string): string {
  return text.replaceAll("](", "] (");
}
