// Measures stdio servers through Gangway beside direct clients, other bridges and npx: `npm run bench:host`.
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureHostMemory } from "./host-memory.ts";
import { measureStarts } from "./host-starts.ts";
import { memoryTable, startTables, typicalTable, warmTables } from "./host-tables.ts";
import { measureTypicalCalls } from "./host-typical.ts";
import { measureWarmCalls } from "./host-warm.ts";

const { values } = parseArgs({
  options: {
    /** `warm`, `typical`, `starts` or `memory`; all by default. */
    only: { type: "string", default: "" },
    rounds: { type: "string", default: "9" },
    callers: { type: "string", default: "64" },
    starts: { type: "string", default: "5" },
    /** Part of the name of a package that is started. */
    server: { type: "string", default: "" },
    /** A page whose measured part is written anew. */
    write: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const callers = Number(values.callers);

const sections: Readonly<Record<string, () => Promise<string>>> = {
  warm: async () => warmTables(await measureWarmCalls(rounds, callers), callers),
  typical: async () => typicalTable(await measureTypicalCalls(3 * rounds)),
  starts: async () => startTables(await measureStarts(Number(values.starts), values.server)),
  memory: async () => memoryTable(await measureHostMemory(50)),
};

const startedAt = performance.now();
const texts: string[] = [];
for (const [name, section] of Object.entries(sections)) {
  if (values.only !== "" && values.only !== name) continue;
  process.stderr.write(`measures: ${name}\n`);
  texts.push(await section());
}
const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
const [cpu] = cpus();
const machine = `${cpus().length} × ${cpu?.model.trim() ?? "unknown processor"}, Node ${process.versions.node}`;
const date = new Date().toISOString().slice(0, 10);
const load = loadavg()
  .map((one) => one.toFixed(1))
  .join(", ");
const head = `Measured on ${date} in ${minutes} minutes: ${machine}; load averages at the end ${load}.`;
const text = [head, ...texts].join("\n\n");
process.stdout.write(`${text}\n`);
if (values.write !== undefined) writeMeasured(values.write, text);

/** What people wrote on the page stays; what stands between the two marks is replaced. */
function writeMeasured(path: string, tables: string): void {
  const begin = "<!-- measured -->";
  const end = "<!-- end of what was measured -->";
  const page = readFileSync(path, "utf8");
  const [before] = page.split(begin);
  const [, after] = page.split(end);
  if (before === undefined || after === undefined) throw new TypeError(`${path} lacks ${end}`);
  writeFileSync(path, `${before}${begin}\n\n${tables}\n\n${end}${after}`);
}
