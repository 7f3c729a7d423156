import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Composer, Parser } from "yaml";
import { type ConfigLimits, fileLimits } from "../../shared/config/limits.ts";
import { readConfig } from "../../shared/config/read-config.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "7" }, write: { type: "string" } },
});
const rounds = Number(values.rounds);

const introduction = `# What validation costs

Configs of 1, 2 and 4 MiB of YAML with 3,000 servers a MiB, read and checked in one run, and the
sample configs where they lie beside the repository. The limits are wider here than elsewhere. Run it with \`npm run bench:validate\`; it is a
measurement, not a test. Times are processor time, the middle of ${rounds} rounds, so that other work on the
machine does not count. The parser alone is the YAML library's own work on the same text.`;

const serversPerMiB = 3000;
const mebibyte = 1024 * 1024;
/** Larger than what the validator reads elsewhere, so that the growth of its time is seen. */
const limits: ConfigLimits = {
  ...fileLimits,
  maxChars: 5 * mebibyte,
  maxTokens: 2_000_000,
  maxNodes: 500_000,
  maxServers: 20_000,
};

/** One server: every second one remote, with references, and text up to its share of the MiB. */
function entry(index: number): string {
  const head = `  - name: server_${index}\n    type: mcp\n`;
  const body =
    index % 2 === 0
      ? `    command: npx\n    args: [-y, "@scope/server-${index}@1.4.${index % 90}", --region, eu]\n    env:\n      SERVER_TOKEN: "\${TOKEN_${index % 7}}"\n      LOG_LEVEL: info\n`
      : `    transport: http\n    url: https://mcp${index}.example.com/mcp\n    headers:\n      Authorization: "Bearer \${TOKEN_${index % 7}}"\n      X-Team: agents\n    request_timeout: 30\n`;
  const left = Math.floor(mebibyte / serversPerMiB) - head.length - body.length;
  return `${head}    description: ${"words on what it is for ".repeat(20).slice(0, left - 20)}\n${body}`;
}

function config(mebibytes: number): string {
  const entries = Array.from({ length: serversPerMiB * mebibytes }, (_, index) => entry(index));
  return `tools:\n${entries.join("")}`;
}

/** Milliseconds of processor time of each round, in order. */
function time(work: () => void): readonly number[] {
  return Array.from({ length: rounds }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }).toSorted((a, b) => a - b);
}

function middle(times: readonly number[]): number {
  return times[Math.floor(times.length / 2)] ?? Number.NaN;
}

function check(text: string): void {
  const { servers, findings: all } = readConfig({ text, path: "agent.yaml" }, { limits });
  const findings = all.filter(({ id }) => id !== "GW119"); // more references than are listed
  const usable = servers.filter(({ config: server }) => server !== null).length;
  if (findings.length > 0 || usable !== servers.length || usable % serversPerMiB !== 0)
    throw new TypeError(`the config of the benchmark is not clean: ${JSON.stringify(findings[0])}`);
}

function parseOnly(text: string): void {
  const documents = [...new Composer({ uniqueKeys: false }).compose(new Parser().parse(text))];
  if (documents.length !== 1) throw new TypeError("the parser read no document");
}

function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(" | ")} |`;
}

const sizes = [1, 2, 4].map((mebibytes) => ({ mebibytes, text: config(mebibytes) }));
for (const { text } of sizes.slice(0, 2)) check(text); // compiled before it is measured
const lines = sizes.map(({ mebibytes, text }) => {
  const whole = time(() => check(text));
  const parser = middle(time(() => parseOnly(text)));
  const ms = middle(whole);
  return row([
    `${mebibytes} MiB, ${(serversPerMiB * mebibytes).toLocaleString("en")} servers`,
    `${ms.toFixed(0)} ms`,
    `${(whole[0] ?? 0).toFixed(0)} ms`,
    `${(ms / mebibytes).toFixed(0)} ms`,
    `${parser.toFixed(0)} ms`,
  ]);
});

const report = [
  introduction,
  `Node ${process.versions.node}, ${cpus()[0]?.model ?? "unknown processor"}.`,
  [
    row(["Config", "Read and checked", "Best round", "A MiB", "The parser alone"]),
    row(Array.from({ length: 5 }, () => "---")),
    ...lines,
  ].join("\n"),
  sampleLine(),
  "",
].join("\n\n");
process.stdout.write(report);
if (values.write !== undefined) writeFileSync(values.write, report);

function sampleLine(): string {
  const folder = fileURLToPath(new URL("../../../shared/corpus/configs/", import.meta.url));
  if (!existsSync(folder)) return "The sample configs are not there.";
  const samples = readdirSync(folder).map((path) => ({
    path,
    text: readFileSync(`${folder}${path}`, "utf8"),
  }));
  const all = () => {
    for (const sample of samples) readConfig(sample);
  };
  return `All ${samples.length} sample configs: ${middle(time(all)).toFixed(0)} ms.`;
}
