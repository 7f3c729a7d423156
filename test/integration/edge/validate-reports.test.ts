import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import Ajv from "ajv-draft-04";
import addFormats from "ajv-formats";
import { SaxesParser } from "saxes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Gangway, startGangway } from "../../support/gangway.ts";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const sarifSchema = require("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json") as object;

/** One error, one warning, and a key that would give orders to a careless reader of reports. */
const config = `tools:
  - name: files
    type: mcp
    description: Reads files
    command: npx
    args: [-y, some-server]
    "::stop-commands::<b>\\e[31m\\n": 1
`;

let gangway: Gangway;
let folder: string;

beforeAll(async () => {
  gangway = await startGangway({ host: false, scopes: ["validate"] });
  folder = await mkdtemp(join(tmpdir(), "gangway-reports-"));
  await writeFile(join(folder, "agent.yaml"), config);
});

afterAll(async () => {
  await gangway.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a person types: the file as it stands, with curl's own content type. */
async function curl(format: string): Promise<string> {
  const { stdout } = await run("curl", [
    "--silent",
    "--show-error",
    "--fail",
    "--data-binary",
    `@${join(folder, "agent.yaml")}`,
    "--header",
    `authorization: Bearer ${gangway.key}`,
    `${gangway.url}/v1/validate?path=agent.yaml&format=${format}`,
  ]);
  return stdout;
}

/** Names of the elements of a strict XML 1.0 document, in order. */
function elements(xml: string): string[] {
  const names: string[] = [];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => names.push(name));
  parser.write(xml).close();
  return names;
}

const position = z.int().positive();
/** The fields that GitLab requires of a Code Quality report. */
const gitlabSchema = z.array(
  z.object({
    description: z.string().min(1),
    check_name: z.string().min(1),
    fingerprint: z.string().min(1),
    severity: z.enum(["info", "minor", "major", "critical", "blocker"]),
    location: z.object({
      path: z.string().regex(/^(?!\.\/|\/)/),
      lines: z.object({ begin: position }),
    }),
  }),
);
/** The part of reviewdog's DiagnosticResult that every diagnostic has. */
const rdjsonSchema = z.object({
  source: z.object({ name: z.string() }),
  diagnostics: z.array(
    z.object({
      message: z.string().min(1),
      severity: z.enum(["ERROR", "WARNING", "INFO"]),
      location: z.object({
        path: z.literal("agent.yaml"),
        range: z.object({ start: z.object({ line: position, column: position }) }),
      }),
    }),
  ),
});

describe("curl --data-binary @agent.yaml", () => {
  it("prints the answer of the API", async () => {
    expect(JSON.parse(await curl("json"))).toMatchObject({
      valid: false,
      files: [
        {
          path: "agent.yaml",
          dialect: "native",
          findings: [
            { id: "GW204", severity: "warning", line: 6, column: 16 },
            { id: "GW113", severity: "error", line: 7, column: 5 },
          ],
        },
      ],
    });
  });

  it("prints text with the source line and a caret, without escape codes", async () => {
    const text = await curl("text");
    expect(text).toContain("agent.yaml:6:16");
    expect(text).toContain("args: [-y, some-server]");
    expect(text).toMatch(/^\s*(?:\|\s*)?\^+\s*$/m);
    expect(text).not.toContain("\u001b");
  });

  it("prints SARIF that its schema accepts", async () => {
    const ajv = new Ajv({ strict: false, unicodeRegExp: false });
    addFormats(ajv);
    const accepts = ajv.compile(sarifSchema);
    const log = JSON.parse(await curl("sarif")) as { runs: { results: unknown[] }[] };
    expect(accepts(log) ? [] : accepts.errors).toEqual([]);
    expect(log.runs[0]?.results).toHaveLength(2);
  });

  it("prints workflow commands, one a line, and none that the config wrote", async () => {
    const lines = (await curl("github")).trim().split("\n");
    const commands = lines.filter((line) => line.startsWith("::"));
    expect(commands.map((line) => line.split(" ")[0])).toEqual(["::warning", "::error"]);
    expect(commands.every((line) => line.includes("file=agent.yaml,line="))).toBe(true);
  });

  it("prints a Code Quality report with the fields that GitLab wants", async () => {
    expect(gitlabSchema.parse(JSON.parse(await curl("gitlab")))).toHaveLength(2);
  });

  it("prints JUnit's elements as strict XML", async () => {
    expect(elements(await curl("junit"))).toEqual([
      "testsuites",
      "testsuite",
      "testcase",
      "system-out",
      "testcase",
      "failure",
    ]);
  });

  it("prints a reviewdog DiagnosticResult", async () => {
    expect(rdjsonSchema.parse(JSON.parse(await curl("rdjson"))).diagnostics).toHaveLength(2);
  });
});
