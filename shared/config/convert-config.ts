import { stringify } from "yaml";
import { dialectById } from "./dialects/table.ts";
import type { Finding } from "./finding.ts";
import { readConfig, type ConfigSource, type ReadOptions } from "./read-config.ts";
import { serverConfigSchema, type ServerConfig } from "./server-config.ts";

export interface ConvertOptions extends ReadOptions {
  /** `agent`: a `tools:` list; `global`: `version` and `mcp_servers`. Default `agent`. */
  readonly form?: "agent" | "global";
}

export interface Conversion {
  readonly dialect: string;
  /** Native YAML of every usable server; null when there is none. */
  readonly yaml: string | null;
  /** Names of the servers in the YAML. */
  readonly converted: readonly string[];
  /** Names of the servers that could not be converted; `findings` tell why. */
  readonly skipped: readonly string[];
  /** Findings about what was read. */
  readonly findings: readonly Finding[];
}

/**
 * Writes a config of any dialect in the native form. Fields at their default are left out; servers without
 * a description get one, since the native form asks for it.
 */
export function convertConfig(source: ConfigSource, options: ConvertOptions = {}): Conversion {
  const reading = readConfig(source, options);
  const usable = reading.documentOk ? reading.servers.flatMap(({ config }) => config ?? []) : [];
  const origin = dialectById(reading.dialect)?.title ?? reading.dialect;
  const entries = usable.map((server) => writeServer(server, origin));
  return {
    dialect: reading.dialect,
    yaml: entries.length === 0 ? null : write(entries, options.form ?? "agent"),
    converted: usable.map(({ name }) => name),
    skipped: reading.servers.filter(({ config }) => config === null).map(({ name }) => name),
    findings: reading.findings,
  };
}

type Entry = Readonly<Record<string, unknown>>;

function write(entries: readonly Entry[], form: "agent" | "global"): string {
  const document = form === "agent" ? { tools: entries } : { version: "1.0", mcp_servers: entries };
  // Quotes what a YAML 1.1 reader would take for a boolean or number.
  return stringify(document, { lineWidth: 0, compat: "yaml-1.1", aliasDuplicateObjects: false });
}

/** Fields in the order in which people read them. */
const order = Object.keys(serverConfigSchema.shape);

function writeServer(server: ServerConfig, origin: string): Entry {
  const defaults = serverConfigSchema.parse({ name: "x", type: "mcp" });
  const description = server.description ?? `MCP server ${server.name}, from ${origin}`;
  const written: Record<string, unknown> = {};
  for (const field of order) {
    const value = readField(field === "description" ? { ...server, description } : server, field);
    const isDefault = JSON.stringify(value) === JSON.stringify(readField(defaults, field));
    if (value !== undefined && (!isDefault || field === "type")) written[field] = value;
  }
  return written;
}

function readField(server: ServerConfig, field: string): unknown {
  return Object.entries(server).find(([name]) => name === field)?.[1];
}
