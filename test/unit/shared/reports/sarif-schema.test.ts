import { createRequire } from "node:module";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { renderSarif, sarifResultLimit } from "../../../../shared/reports/sarif-report.ts";
import { file, finding, hostile, nowhere, options } from "./samples.ts";

// Runs in Node alone: the schema's validator is compiled code, which workerd refuses.
const require = createRequire(import.meta.url);
const schema = require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json") as object;

// One pattern of the schema is no valid expression under the `u` flag.
const ajv = new Ajv({ strict: false, unicodeRegExp: false });
addFormats(ajv);
const validate = ajv.compile(schema);

function violations(document: string): unknown {
  return validate(JSON.parse(document)) ? [] : validate.errors;
}

const severities = (["error", "warning", "info"] as const).map((severity) => finding({ severity }));
const attacks = hostile.map((text) =>
  file({
    path: text,
    findings: [finding({ message: text, hint: text, pointer: text, docs: text })],
  }),
);
const crowd = Array.from({ length: sarifResultLimit + 1 }, () => finding());

describe("renderSarif under the official schema", () => {
  it.each([
    ["no files", []],
    ["a file without findings", [file()]],
    ["every severity, several files", [file({ findings: severities }), file({ path: "b" })]],
    ["findings without places", [file({ text: null, findings: [finding(nowhere)] })]],
    ["an unknown rule", [file({ findings: [finding({ id: "GW999" })] })]],
    ["hostile text everywhere", attacks],
    ["one file twice", [file({ findings: severities }), file({ findings: severities })]],
    ["more results than fit", [file({ findings: crowd })]],
  ])("accepts %s", (_what, files) => {
    expect(violations(renderSarif(files, options))).toEqual([]);
    expect(violations(renderSarif(files, { rules: {} }))).toEqual([]);
  });

  it("refuses a log that breaks it", () => {
    const broken = renderSarif([file({ findings: severities })], options);
    expect(violations(broken.replace('"startLine":2', '"startLine":0'))).not.toEqual([]);
    expect(violations(broken.replace('"level":"note"', '"level":"info"'))).not.toEqual([]);
  });
});
