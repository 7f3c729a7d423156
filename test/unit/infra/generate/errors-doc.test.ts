import { describe, expect, it } from "vitest";
import { errorsDoc } from "../../../../infra/generate/errors-doc.ts";
import { catalogue, errorTypes, isErrorCode } from "../../../../shared/errors/catalogue.ts";
import { errorDocs } from "../../../../shared/errors/error-body.ts";

const doc = errorsDoc();
const codes = Object.keys(catalogue).filter(isErrorCode);

describe("errorsDoc", () => {
  it.each(codes)("has the section that the docs field of %s points to", (code) => {
    const anchors = [...doc.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading?.toLowerCase());
    const [path, anchor] = errorDocs(code).split("#");
    expect(path).toBe("docs/reference/errors.md");
    expect(anchors.filter((each) => each === anchor)).toHaveLength(1);
  });

  it.each(codes)("tells all of %s", (code) => {
    const { type, http, rpc, retryable, summary, hint } = catalogue[code];
    const section = doc.split(`\n## ${code}\n`)[1]?.split("\n## ")[0] ?? "";
    for (const text of [summary, hint, `\`${type}\``, `status: ${http}\n`, `code: ${rpc}\n`]) {
      expect(section).toContain(text);
    }
    expect(section).toContain(`Retryable: ${retryable ? "yes" : "no"}`);
  });

  it("has a table of every type with what it is a kind of", () => {
    for (const type of Object.keys(errorTypes)) expect(doc).toContain(`| \`${type}\` |`);
    expect(doc).toContain("| `MissingTransportFieldError` | `MCPConfigError` < `ConfigError` |");
  });
});
