import { fileURLToPath } from "node:url";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml, stringify as writeToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml, stringify as writeYaml } from "yaml";
import { readConfig } from "../../../../../shared/config/read-config.ts";
import { readSampleConfigs, type SampleConfig } from "../sample-configs.ts";
import { mutators, type Entry, type Names } from "./mutators.ts";

const folder = fileURLToPath(new URL("../../../../../../shared/corpus/", import.meta.url));
const sampleConfigs = readSampleConfigs(folder);

/** They are no part of the repository; test/not-run.txt says so. */
const hasSamples = sampleConfigs.length > 0;

/** Correct ones: no error, and at least one server; at most eight of a dialect, so that all have a say. */
function correctSamples(): readonly SampleConfig[] {
  const counts = new Map<string, number>();
  return sampleConfigs.filter(({ path, text }) => {
    const reading = readConfig({ text, path });
    const count = counts.get(reading.dialect) ?? 0;
    const correct =
      reading.servers.length > 0 && reading.findings.every(({ severity }) => severity !== "error");
    if (!correct || count >= 8 || reading.dialect === "native") return false;
    counts.set(reading.dialect, count + 1);
    return true;
  });
}

function load({ path, text }: SampleConfig): Entry {
  if (path.endsWith(".toml")) return parseToml(text);
  const value: unknown = /\.ya?ml$/.test(path) ? parseYaml(text) : parseJsonc(text);
  if (typeof value !== "object" || value === null) throw new TypeError("A sample must hold a map.");
  return { ...value };
}

function write(path: string, value: Entry): string {
  if (path.endsWith(".toml")) return writeToml(value);
  return /\.ya?ml$/.test(path) ? writeYaml(value) : JSON.stringify(value, null, 2);
}

const names: Readonly<Record<string, Names>> = {
  opencode: { env: "environment", headers: "headers" },
  goose: { env: "envs", headers: "headers" },
  codex: { env: "env", headers: "http_headers" },
};
const usualNames: Names = { env: "env", headers: "headers" };

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, key) =>
      typeof node === "object" && node !== null
        ? Object.entries(node).find(([name]) => name === key)?.[1]
        : undefined,
    value,
  );
}

const escape = (key: string | number) => String(key).replaceAll("~", "~0").replaceAll("/", "~1");

describe.runIf(hasSamples)("mutants of correct configs", () => {
  const base = correctSamples();

  it("start from fifty correct configs of many dialects", () => {
    expect(base.length).toBeGreaterThanOrEqual(50);
  });

  it("all get the rule's finding at the mutated place", () => {
    let total = 0;
    const survivors: string[] = [];
    for (const sample of base) {
      const { dialect, servers } = readConfig(sample);
      for (const { pointer } of servers) {
        const path = pointer
          .split("/")
          .slice(1)
          .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
        for (const mutator of mutators) {
          const value = load(sample);
          const entry = at(value, path);
          if (typeof entry !== "object" || entry === null) continue;
          const place = mutator.apply(entry as Entry, names[dialect] ?? usualNames);
          if (place === null) continue;
          total += 1;
          const expected = [pointer, ...place.map(escape)].join("/");
          const { findings } = readConfig({ text: write(sample.path, value), path: sample.path });
          const hit = findings.some(
            (finding) => finding.id === mutator.rule && finding.pointer === expected,
          );
          if (!hit) survivors.push(`${sample.file} ${mutator.rule} at ${expected}`);
        }
      }
    }
    expect(survivors).toEqual([]);
    expect(total).toBeGreaterThanOrEqual(2000);
  }, 60_000);
});

describe.runIf(hasSamples)("mutants of the text", () => {
  const texts: readonly [rule: string, mutate: (text: string) => string, kinds: RegExp][] = [
    ["GW100", (text) => text.slice(0, Math.floor(text.lastIndexOf("}"))), /\.json$/],
    ["GW100", (text) => text.replace('"', "'"), /\.json$/],
    ["GW101", (text) => `${text}\0`, /./],
    ["GW103", (text) => `<<<<<<< HEAD\n${text}\n=======\n${text}\n>>>>>>> main\n`, /./],
    ["GW104", (text) => `${text}\n${text}`, /\.json$/],
    ["GW104", (text) => `${text}\n---\n${text}`, /\.ya?ml$/],
    ["GW108", (text) => `\uFEFF${text}`, /./],
  ];

  it.each(texts)("all get %s", (rule, mutate, kinds) => {
    const mutated = correctSamples().filter(({ path }) => kinds.test(path));
    expect(mutated.length).toBeGreaterThan(0);
    const missed = mutated.filter(
      ({ text, path }) =>
        !readConfig({ text: mutate(text), path }).findings.some(({ id }) => id === rule),
    );
    expect(missed.map(({ file }) => file)).toEqual([]);
  });
});
