// Looks for answers that reach another call than their own, over many calls: `npm run soak`.
import { parseArgs } from "node:util";
import { soak } from "../support/soak.ts";
import { startSoakSetup } from "../support/soak-setup.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "100000" },
    "in-flight": { type: "string", default: "256" },
  },
});

await using setup = await startSoakSetup();
const { gangway, servers } = setup;
const startedAt = performance.now();
const seconds = (): string => ((performance.now() - startedAt) / 1_000).toFixed(0);
const report = await soak(gangway, {
  calls: Number(values.calls),
  inFlight: Number(values["in-flight"]),
  servers,
  onProgress: (done) => process.stderr.write(`${done} calls in ${seconds()} s\n`),
});
const { lost, foreign, missing, ...counts } = report;
const wrong = { lost: lost.length, foreign: foreign.length, missing: missing.length };
process.stdout.write(`${JSON.stringify({ ...counts, ...wrong, seconds: Number(seconds()) })}\n`);
for (const line of [...foreign, ...missing, ...lost].slice(0, 20))
  process.stderr.write(`${line}\n`);
process.exitCode = foreign.length + missing.length === 0 ? 0 : 1;
