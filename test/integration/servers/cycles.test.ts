import { expect, it } from "vitest";
import { runCycles } from "../../support/cycles/run-cycles.ts";
import { ways } from "../../support/cycles/ways.ts";

const cycles = 300;

it(
  "leave no process, descriptor or folder, whichever way 300 servers or their host end (cases 11, 12, 15, 18)",
  { timeout: 600_000 },
  async () => {
    const report = await runCycles({ cycles, sideBySide: 6, containerEvery: null });
    expect(report.wrong).toEqual([]);
    expect(report.left).toEqual([]);
    expect(report.settledMs).toBeLessThan(20_000);
    expect(report.killedHostMs).toBeLessThan(5_000);
    expect(Object.keys(report.counts).sort()).toEqual([...Object.keys(ways), "kill-host"].sort());
    expect(
      Object.values(report.counts).reduce((sum, count) => sum + count, 0),
    ).toBeGreaterThanOrEqual(cycles);
  },
);
