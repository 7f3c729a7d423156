// Starts servers and ends them in every way, and counts what is left of them: `npm run cycles -- --cycles 10000`.
import { parseArgs } from "node:util";
import { runCycles } from "../support/cycles/run-cycles.ts";
import { whyNoEngine } from "../support/docker-engine.ts";

const { values } = parseArgs({
  options: {
    cycles: { type: "string", default: "10000" },
    "side-by-side": { type: "string", default: "8" },
    /** One in so many is of a container; 0 = none. */
    "container-every": { type: "string", default: "90" },
  },
});

const noEngine = values["container-every"] === "0" ? "not asked for" : await whyNoEngine();
if (noEngine !== null) process.stderr.write(`no containers: ${noEngine}\n`);
const startedAt = performance.now();
const seconds = (): number => Math.round((performance.now() - startedAt) / 1_000);
const report = await runCycles({
  cycles: Number(values.cycles),
  sideBySide: Number(values["side-by-side"]),
  containerEvery: noEngine === null ? Number(values["container-every"]) : null,
  onProgress: (done) => process.stderr.write(`${done} in ${seconds()} s\n`),
});
const { wrong, left, ...told } = report;
process.stdout.write(
  `${JSON.stringify({ ...told, wrong: wrong.length, left: left.length, seconds: seconds() })}\n`,
);
for (const line of [...wrong, ...left].slice(0, 30))
  process.stderr.write(`${line.slice(0, 300)}\n`);
process.exitCode = wrong.length + left.length === 0 ? 0 : 1;
