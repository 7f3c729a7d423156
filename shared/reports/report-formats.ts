import type { RenderReport } from "./file-report.ts";
import { renderGithub } from "./github-report.ts";
import { renderGitlab } from "./gitlab-report.ts";
import { renderJson } from "./json-report.ts";
import { renderJunit } from "./junit-report.ts";
import { renderRdjson } from "./rdjson-report.ts";
import { renderSarif } from "./sarif-report.ts";
import { renderText } from "./text-report.ts";

export interface ReportFormat {
  /** For the `Content-Type` header; all documents are UTF-8. */
  readonly contentType: string;
  /** Pure; every format escapes hostile text for its consumer and is linear in its input. */
  readonly render: RenderReport;
}

/** Every format of `?format=` and `--format`. */
export const reportFormats = {
  json: { contentType: "application/json", render: renderJson },
  text: { contentType: "text/plain; charset=utf-8", render: renderText },
  sarif: { contentType: "application/sarif+json", render: renderSarif },
  github: { contentType: "text/plain; charset=utf-8", render: renderGithub },
  gitlab: { contentType: "application/json", render: renderGitlab },
  junit: { contentType: "application/xml; charset=utf-8", render: renderJunit },
  rdjson: { contentType: "application/json", render: renderRdjson },
} as const satisfies Readonly<Record<string, ReportFormat>>;

export type ReportFormatName = keyof typeof reportFormats;

export function isReportFormat(name: string): name is ReportFormatName {
  return Object.hasOwn(reportFormats, name);
}
