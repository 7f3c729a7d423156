import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { convertConfig } from "../../../../shared/config/convert-config.ts";
import { readConfig } from "../../../../shared/config/read-config.ts";
import { readSampleConfigs, type SampleConfig } from "./sample-configs.ts";

const folder = fileURLToPath(new URL("../../../../../shared/corpus/", import.meta.url));
const corpus = readSampleConfigs(folder);

const read = ({ text, path }: SampleConfig) => readConfig({ text, path });

/** Files that no parser of their kind takes, and the line where each breaks. */
const broken: Readonly<Record<string, number>> = {
  "vscode-004.json": 13,
  "vscode-005.json": 7,
  "vscode-006.json": 13,
  "vscode-007.json": 12,
  "vscode-015.json": 2,
  "vscode-016.json": 2,
  "vscode-017.json": 2,
  "cursor-007.json": 1,
};

// They are no part of the repository; test/not-run.txt says so.
describe.runIf(corpus.length > 0)("the sample configs", () => {
  it("are all there", () => {
    expect(corpus).toHaveLength(283);
  });

  it("are all read, as many servers as they hold", () => {
    const counts = corpus.map((row) => [row.file, read(row).servers.length]);
    // Twelve entries of the Goose file run inside Goose; the expected count holds them.
    const expected = corpus.map((row) => [
      row.file,
      row.file === "goose-001.yaml" ? 2 : row.servers,
    ]);
    expect(counts).toEqual(expected);
  });

  it("of kinds with a file name of their own are recognised as that kind", () => {
    const kinds = new Set([
      "vscode",
      "claude-desktop",
      "cursor",
      "roo",
      "gemini-cli",
      "codex",
      "opencode",
      "zed",
      "librechat",
      "goose",
      "antigravity",
    ]);
    const wrong = corpus
      .filter(({ kind }) => kinds.has(kind))
      .filter((row) => read(row).dialect !== row.kind);
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });

  it("that cannot be parsed are the known ones, at the right line", () => {
    const found = corpus
      .map((row) => ({
        row,
        finding: read(row).findings.find(
          ({ id }) => id === "GW100" || id === "GW103" || id === "GW104",
        ),
      }))
      .filter(({ finding }) => finding !== undefined)
      .map(({ row, finding }) => [row.file, finding?.line]);
    expect(Object.fromEntries(found)).toEqual(broken);
  });

  it("get findings inside their text only", () => {
    for (const row of corpus) {
      const lines = row.text.split(/\r\n|\n|\r/);
      for (const { line, column, end_line, end_column } of read(row).findings) {
        if (line === null || column === null || end_line === null || end_column === null) continue;
        expect(line).toBeLessThanOrEqual(end_line);
        expect(column).toBeLessThanOrEqual((lines[line - 1] ?? "").length + 1);
        expect(end_column).toBeLessThanOrEqual((lines[end_line - 1] ?? "").length + 1);
      }
    }
  });

  it("are read the same way twice", () => {
    for (const row of corpus) expect(read(row)).toEqual(read(row));
  });

  it("convert to native YAML that validates clean and describes the same servers", () => {
    for (const row of corpus) {
      const { yaml } = convertConfig({ text: row.text, path: row.path });
      if (yaml === null) continue;
      const again = readConfig({ text: yaml, path: "agent.yaml" });
      const usable = read(row).servers.flatMap(({ config }) => config ?? []);
      expect(again.servers.map(({ config }) => ({ ...config, description: null }))).toEqual(
        usable.map((config) => ({ ...config, description: null })),
      );
    }
  });

  it("never show a credential in a finding", () => {
    const values = corpus.flatMap(
      ({ text }) => text.match(/\b(?:sbp_|ghp_|BSA|AQ\.|secret_notion)[A-Za-z0-9_.-]{8,}/g) ?? [],
    );
    expect(values.length).toBeGreaterThan(5);
    const shown = JSON.stringify(corpus.map((row) => read(row).findings));
    for (const value of values) expect(shown).not.toContain(value);
  });
});
