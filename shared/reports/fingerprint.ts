import { unnamedPath, type FileReport } from "./file-report.ts";
import type { Finding } from "../config/finding.ts";
import { sha256 } from "./sha256.ts";

type Fingerprint = (file: FileReport, finding: Finding) => string;

/**
 * Names findings of one report: 32 hex digits from rule, path, pointer and, where these repeat,
 * the count so far. Lines and messages take no part, so edits elsewhere in the file keep them.
 */
export function fingerprints(): Fingerprint {
  const seen = new Map<string, number>();
  return (file, finding) => {
    const place = JSON.stringify([finding.id, file.path || unnamedPath, finding.pointer]);
    const count = seen.get(place) ?? 0;
    seen.set(place, count + 1);
    return sha256(`${place}${count}`).slice(0, 32);
  };
}
