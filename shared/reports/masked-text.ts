import { namesSecret } from "../config/secrets/names-secret.ts";
import { LineIndex } from "../config/tree/line-index.ts";
import type { FileReport } from "./file-report.ts";
import { regionOf } from "./region.ts";

/** Rules whose places hold a credential. */
const credentialRules: ReadonlySet<string> = new Set(["GW401", "GW402", "GW403", "GW417"]);
/** Rules that point at a name whose value may hold one, and was not judged. */
const nameRules: ReadonlySet<string> = new Set(["GW308"]);

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The file's text with every credential that a finding points at shown as dots, unit by unit, so
 * that positions still fit; so is every value whose name says that it is one, and what stands
 * behind a header's name that a finding points at. A report ends in logs that more people read
 * than the file.
 */
export function maskedText({ text, findings }: FileReport): string {
  if (text === null) return "";
  const ranges = credentialRanges(text, findings);
  let [masked, at] = ["", 0];
  for (const { from, to } of ranges) {
    const start = Math.max(from, at);
    if (to <= start) continue;
    masked += text.slice(at, start) + text.slice(start, to).replace(/[^\r\n]/g, "•");
    at = to;
  }
  return masked + text.slice(at);
}

function credentialRanges(text: string, findings: FileReport["findings"]): Range[] {
  const secrets = findings.filter(
    ({ id, pointer }) => credentialRules.has(id) || nameRules.has(id) || pointsAtSecret(pointer),
  );
  if (secrets.length === 0) return [];
  const index = new LineIndex(text);
  return secrets
    .flatMap((finding) => {
      const region = regionOf(finding);
      if (region === null) return [];
      const { start, end } = region;
      const from = index.offset(start.line, start.column);
      const to = end === null ? null : index.offset(end.line, end.column);
      const nextLine = index.offset(start.line + 1, 1);
      if (nameRules.has(finding.id)) return { from: to ?? from, to: nextLine };
      return { from, to: to ?? nextLine };
    })
    .toSorted((one, other) => one.from - other.from);
}

/** Whatever is found in it: what stands where a credential belongs may be one. */
function pointsAtSecret(pointer: string): boolean {
  const [field = "", name = ""] = pointer.split("/").slice(-2);
  return namesSecret({ field, name });
}
