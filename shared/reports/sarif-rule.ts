import type { Finding } from "../config/finding.ts";
import { docsUrl, type ReportOptions } from "./file-report.ts";
import { sarifLevels } from "./sarif-level.ts";

/** The `reportingDescriptor` of the rule behind a finding (§3.49). */
export function sarifRule(finding: Finding, options: ReportOptions) {
  const rule = options.rules[finding.id];
  const helpUri = docsUrl(finding.docs, options);
  const link = helpUri === undefined ? {} : { helpUri };
  if (rule === undefined) return { id: finding.id, ...link };
  return {
    id: finding.id,
    shortDescription: { text: rule.summary },
    help: { text: rule.hint || rule.summary },
    ...link,
    defaultConfiguration: { level: sarifLevels[rule.severity] },
    properties: { tags: ["mcp", "configuration"] },
  };
}
