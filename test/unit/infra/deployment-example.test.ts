import { describe, expect, it } from "vitest";
import { readDeployment } from "../../../shared/config/read-deployment.ts";
import { sourceFiles } from "../../support/source-files.ts";

const [file] = sourceFiles("infra/gangway.yaml");
const lines = file?.text.split("\n") ?? [];
const first = lines.indexOf("# tenants:");
const last = lines.indexOf('version: "1.0"');

describe("the example in the production deployment file", () => {
  it("is a deployment without a finding once its comment marks are taken off", () => {
    const example = lines.slice(first, last).map((line) => line.replace(/^# ?/, ""));
    expect(example.length).toBeGreaterThan(40);
    const text = ['version: "1.0"', ...example].join("\n");
    const { deployment, findings } = readDeployment(text, { mode: "production" });
    expect(findings).toEqual([]);
    expect(deployment?.tenants.map(({ id }) => id)).toEqual(["acme", "globex"]);
    expect(deployment?.issuers.map(({ id }) => id)).toEqual(["cijobs"]);
  });
});
