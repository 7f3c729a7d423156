import type { Finding, Severity } from "../config/finding.ts";

/** What the validator says about one file. */
export interface FileReport {
  /** Path as the caller named it, `/` between folders; empty for a document without a name. */
  readonly path: string;
  /** The text that the findings' positions count in; null where the config came as an object. */
  readonly text: string | null;
  /** `end_line` and `end_column` point just behind the last character of the place. */
  readonly findings: readonly Finding[];
  /** Further members of the file's entry in the `json` report, such as `dialect`. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** What reports need to know about a rule. */
export interface RuleInfo {
  readonly summary: string;
  readonly hint: string;
  /** The rule's own severity, before a tenant's settings. */
  readonly severity: Severity;
}

export interface ReportOptions {
  /** Rules by id; a finding of an unknown rule is reported without the rule's summary. */
  readonly rules: Readonly<Record<string, RuleInfo>>;
  /** Absolute URL before `docs` paths; without it, reports carry no links. */
  readonly docsBaseUrl?: string;
  /** Gangway's version, told in `sarif`. */
  readonly version?: string;
  /** SGR colours in `text`, for a terminal; default false. Other formats ignore it. */
  readonly colour?: boolean;
}

/** One format: a pure function from results to a document. */
export type RenderReport = (files: readonly FileReport[], options: ReportOptions) => string;

/** Stands for the path of a document that came without one. */
export const unnamedPath = "document";

/** Valid means: no finding of severity error. */
export function isValid(findings: readonly Finding[]): boolean {
  return !findings.some((finding) => finding.severity === "error");
}

/** Every finding with its file, in the order given. */
export function* eachFinding(
  files: readonly FileReport[],
): Generator<{ readonly file: FileReport; readonly finding: Finding }> {
  for (const file of files) for (const finding of file.findings) yield { file, finding };
}

/** A rule's page as an absolute URL; undefined without `docsBaseUrl`. */
export function docsUrl(docs: string, options: ReportOptions): string | undefined {
  if (options.docsBaseUrl === undefined) return undefined;
  return `${options.docsBaseUrl.replace(/\/$/, "")}/${encodeURI(docs.toWellFormed())}`;
}
