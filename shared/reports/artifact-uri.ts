import { unnamedPath, type FileReport } from "./file-report.ts";

/**
 * The file as URI reference for SARIF (RFC 3986 §4.1): relative to the repository, `file:` for
 * an absolute path. Every segment is percent-encoded, so a colon never reads as a scheme.
 */
export function artifactUri({ path }: FileReport): string {
  const relative = (path || unnamedPath).replace(/^(?:\.\/)+/, "");
  const encoded = relative.toWellFormed().split("/").map(encodeURIComponent).join("/");
  return encoded.startsWith("/") ? `file://${encoded}` : encoded;
}
