import { readdirSync, readFileSync } from "node:fs";
import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";

export interface WrittenLaunch {
  /** The config that it stands in. */
  readonly file: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
}

export interface RegistryPackage {
  readonly file: string;
  readonly kind: string;
  readonly identifier: string;
  readonly version: string;
}

/** The corpus of public configs lies beside the repository; it is no part of it. */
export const corpus = new URL("../../../../../shared/corpus/", import.meta.url);

/** Every distinct npx, uvx and docker argv of the corpus, however its client writes it. */
export function corpusLaunches(): WrittenLaunch[] {
  const found = files("configs/").flatMap(({ file, document }) => launchesIn(document, file));
  return distinct(found.filter(({ command }) => ["npx", "uvx", "docker"].includes(command)));
}

/** The packages of the registry samples, as a config starts them. */
export function registryLaunches(): WrittenLaunch[] {
  return registryPackages().flatMap(({ file, kind, identifier, version }) => {
    const spec = (mark: string) => (version === "" ? identifier : `${identifier}${mark}${version}`);
    const image = identifier.includes(":") ? identifier : spec(":");
    if (kind === "npm") return [{ file, command: "npx", args: ["-y", spec("@")], env: [] }];
    if (kind === "pypi") return [{ file, command: "uvx", args: [spec("==")], env: [] }];
    if (kind !== "oci" && kind !== "docker") return [];
    return [{ file, command: "docker", args: ["run", "-i", "--rm", image], env: [] }];
  });
}

/** Every URL of a server in the corpus. */
export function corpusUrls(): string[] {
  const found = [...documents("configs/"), ...documents("registry/")].flatMap(urlsIn);
  return [...new Set(found)];
}

/** Every header that a config of the corpus sets. */
export function corpusHeaders(): [string, string][] {
  return documents("configs/").flatMap((document) =>
    records(document).flatMap((entry) => stringEntries(entry["headers"] ?? entry["http_headers"])),
  );
}

/** Packages of the registry samples, old field names included. */
export function registryPackages(): RegistryPackage[] {
  return files("registry/").flatMap(({ file, document }) =>
    records(document).flatMap((entry) => {
      const kind = entry["registryType"] ?? entry["registry_type"] ?? entry["registry_name"];
      const identifier = entry["identifier"] ?? entry["name"];
      if (typeof kind !== "string" || typeof identifier !== "string") return [];
      return [{ file, kind, identifier, version: textOf(entry["version"]) }];
    }),
  );
}

function documents(folder: string): unknown[] {
  return files(folder).map(({ document }) => document);
}

function files(folder: string): { file: string; document: unknown }[] {
  const base = new URL(folder, corpus);
  return readdirSync(base).map((file) => {
    const text = readFileSync(new URL(file, base), "utf8").replace(/^\uFEFF/, "");
    return { file, document: parseFile(file, text) };
  });
}

function parseFile(file: string, text: string): unknown {
  if (file.endsWith(".toml")) return parseToml(text);
  if (/\.ya?ml$/.test(file)) return parseLoose(text);
  return parseJsonc(text, [], { allowTrailingComma: true });
}

function parseLoose(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return null; // broken on purpose; the validator's tests are about it
  }
}

function launchesIn(document: unknown, file: string): WrittenLaunch[] {
  return records(document).flatMap((entry) => {
    const [command, ...inline] = [entry["command"] ?? entry["cmd"]].flat();
    const written: unknown = entry["args"] ?? [];
    if (typeof command !== "string" || !Array.isArray(written)) return [];
    const args = [...inline, ...written].map(textOf);
    const env = stringEntries(entry["env"] ?? entry["environment"] ?? entry["envs"]);
    return [{ file, command, args, env: env.map(([name]) => name) }];
  });
}

function urlsIn(document: unknown): string[] {
  return records(document).flatMap((entry) =>
    ["url", "serverUrl", "httpUrl"].flatMap((key) => {
      const isRemote = !("source" in entry) && !("identifier" in entry);
      return isRemote && typeof entry[key] === "string" ? [entry[key]] : [];
    }),
  );
}

function records(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(records);
  if (typeof value !== "object" || value === null) return [];
  const record = value as Record<string, unknown>;
  return [record, ...Object.values(record).flatMap(records)];
}

function stringEntries(value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return Object.entries(value).map(([name, entry]) => [name, textOf(entry)]);
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function distinct(launches: WrittenLaunch[]): WrittenLaunch[] {
  const key = ({ file: _file, ...launch }: WrittenLaunch) => JSON.stringify(launch);
  // The first file that has it.
  return [...new Map(launches.toReversed().map((launch) => [key(launch), launch])).values()];
}
