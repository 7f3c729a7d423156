import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { convertConfig } from "../../../../shared/config/convert-config.ts";
import { readSampleConfigs } from "./sample-configs.ts";

const folder = fileURLToPath(new URL("../../../../../shared/corpus/", import.meta.url));
const sampleConfigs = readSampleConfigs(folder);

/**
 * What each server of a sample config starts or reaches, written by hand from the file. Of env and
 * headers the names are written, of arguments every word; `<secret>` stands for one that is not repeated.
 */
const meaningSchema = z.strictObject({
  file: z.string(),
  servers: z.array(
    z.strictObject({
      name: z.string(),
      launch: z
        .strictObject({ command: z.string(), args: z.array(z.string()), env: z.array(z.string()) })
        .optional(),
      endpoint: z
        .strictObject({ transport: z.string(), url: z.string(), headers: z.array(z.string()) })
        .optional(),
      disabled: z.boolean().optional(),
    }),
  ),
});
type Meaning = z.infer<typeof meaningSchema>;
type Server = Meaning["servers"][number];

const meanings = [1, 2].flatMap((part) => {
  const url = new URL(`../../../fixtures/corpus/meanings-${part}.jsonl`, import.meta.url);
  const lines = readFileSync(url, "utf8").trim().split("\n");
  return lines.map((line) => meaningSchema.parse(JSON.parse(line)));
});

const record = z.record(z.string(), z.string()).default({});
/** The native form as its own page has it, read without the validator. */
const nativeSchema = z.object({
  tools: z.array(
    z.object({
      name: z.string(),
      type: z.literal("mcp"),
      transport: z.string().default("stdio"),
      command: z.string().default(""),
      args: z.array(z.string()).default([]),
      env: record,
      url: z.string().default(""),
      headers: record,
      disabled: z.boolean().default(false),
    }),
  ),
});

const names = (map: Readonly<Record<string, string>>) => Object.keys(map).toSorted();

function meaningOf(yaml: string): Server[] {
  return nativeSchema.parse(parse(yaml)).tools.map((tool) => ({
    name: tool.name,
    ...(tool.transport === "stdio"
      ? { launch: { command: tool.command, args: tool.args, env: names(tool.env) } }
      : { endpoint: { transport: tool.transport, url: tool.url, headers: names(tool.headers) } }),
    ...(tool.disabled ? { disabled: true } : {}),
  }));
}

/** The expectation in the order and form of what is read, its stand-ins filled from there. */
function settled(server: Server, read: Server | undefined): Server {
  const { launch, endpoint, disabled, ...rest } = server;
  const args = launch?.args.map((arg, at) =>
    arg === "<secret>" ? (read?.launch?.args[at] ?? arg) : arg,
  );
  return {
    ...rest,
    ...(launch === undefined
      ? {}
      : { launch: { ...launch, args: args ?? [], env: launch.env.toSorted() } }),
    ...(endpoint === undefined
      ? {}
      : { endpoint: { ...endpoint, headers: endpoint.headers.toSorted() } }),
    ...(disabled === true ? { disabled } : {}),
  };
}

describe.runIf(sampleConfigs.length > 0)("sample configs", () => {
  it("have more than sixty meanings written by hand", () => {
    expect(new Set(meanings.map(({ file }) => file)).size).toBeGreaterThanOrEqual(60);
  });

  it.each(meanings)("convert to what $file means", ({ file, servers }) => {
    const { text, path } = sampleConfigs.find((one) => one.file === file) ?? { text: "", path: "" };
    const { yaml, skipped } = convertConfig({ text, path });
    const read = meaningOf(yaml ?? "tools: []");
    expect(skipped).toEqual([]);
    expect(read).toEqual(servers.map((server, at) => settled(server, read[at])));
  });
});
