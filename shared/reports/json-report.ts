import { isValid, type FileReport } from "./file-report.ts";
import { harmlessJson } from "./harmless-json.ts";

/** The answer of `POST /v1/validate`: `{valid, files: [{path, valid, findings, …facts}]}`. */
export function renderJson(files: readonly FileReport[]): string {
  const entries = files.map(({ path, findings, facts }) => {
    return { path, valid: isValid(findings), ...facts, findings };
  });
  return harmlessJson({ valid: entries.every((entry) => entry.valid), files: entries });
}
