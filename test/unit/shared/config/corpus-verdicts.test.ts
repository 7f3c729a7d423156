import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Severity } from "../../../../shared/config/finding.ts";
import { type ConfigReading, readConfig } from "../../../../shared/config/read-config.ts";
import { readSampleConfigs } from "./sample-configs.ts";

const folder = fileURLToPath(new URL("../../../../../shared/corpus/", import.meta.url));
const sampleConfigs = readSampleConfigs(folder);

/**
 * What the validator must say of each sample config, written by hand from the file and its client's
 * documentation before any answer was looked at; the last column tells why, and why it was changed.
 */
interface Expected {
  readonly file: string;
  readonly verdict: string;
  readonly errors: readonly string[];
  /** Of GW2xx to GW5xx. */
  readonly warnings: readonly string[];
  readonly servers: number;
}

function readExpected(part: number): Expected[] {
  const url = new URL(`../../../fixtures/corpus/expected-${part}.tsv`, import.meta.url);
  return readFileSync(url, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const [file = "", verdict = "", errors = "", warnings = "", servers = ""] = line.split("\t");
      return {
        file,
        verdict,
        errors: ids(errors),
        warnings: ids(warnings),
        servers: Number(servers),
      };
    });
}

function ids(column: string): readonly string[] {
  return column === "-" ? [] : column.split(" ").toSorted();
}

const expected = [...readExpected(1), ...readExpected(2)];

function told(reading: ConfigReading, severity: Severity, rules: RegExp): readonly string[] {
  const found = reading.findings.filter((one) => one.severity === severity && rules.test(one.id));
  return [...new Set(found.map(({ id }) => id))].toSorted();
}

describe("the expected verdicts", () => {
  it("name each file once", () => {
    expect(expected).toHaveLength(283);
    expect(new Set(expected.map(({ file }) => file)).size).toBe(283);
  });

  it.runIf(sampleConfigs.length > 0)("are there for every sample config", () => {
    const names = (list: readonly { file: string }[]) => list.map(({ file }) => file).toSorted();
    expect(names(expected)).toEqual(names(sampleConfigs));
  });
});

describe.runIf(sampleConfigs.length > 0)("the validator", () => {
  it.each(expected)("says of $file: $verdict $errors $warnings", (one) => {
    const { text, path } = sampleConfigs.find(({ file }) => file === one.file) ?? {
      text: "",
      path: "",
    };
    const reading = readConfig({ text, path });
    const errors = told(reading, "error", /./);
    expect({
      file: one.file,
      verdict: errors.length === 0 ? "valid" : "invalid",
      errors,
      warnings: told(reading, "warning", /^GW[2-5]/),
      servers: reading.servers.length,
    }).toEqual(one);
  });
});
