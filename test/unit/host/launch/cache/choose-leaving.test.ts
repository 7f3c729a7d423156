import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  chooseLeaving,
  type KeptEntry,
} from "../../../../../functions/host/launch/cache/choose-leaving.ts";

const now = 10_000_000;
const entry = (path: string, bytes: number, changes: Partial<KeptEntry> = {}): KeptEntry => ({
  path,
  bytes,
  usedAt: 0,
  held: false,
  ...changes,
});

describe("chooseLeaving", () => {
  const old = entry("old", 10, { usedAt: 100 });
  const older = entry("older", 10, { usedAt: 50 });
  const held = entry("held", 50, { usedAt: 1, held: true });
  const fresh = entry("fresh", 30, { usedAt: now - 59_999 });

  it.each<[string, readonly KeptEntry[], number, readonly string[]]>([
    ["nothing of nothing", [], 0, []],
    ["nothing while all fits", [old, older], 20, []],
    ["the one that was not used for longest", [old, older], 19, ["older"]],
    ["as many as it takes", [old, older], 5, ["older", "old"]],
    ["none from which a process runs", [held, old], 0, ["old"]],
    ["none that was used a moment ago", [fresh, old], 30, ["old"]],
    ["nothing when what is over is in use", [held, fresh], 0, []],
  ])("gives up %s", (_what, entries, bytes, expected) => {
    expect(chooseLeaving(entries, { bytes, now }).map(({ path }) => path)).toEqual(expected);
  });

  it("gives up no more than it must, and never what is in use", () => {
    const entries = fc.array(
      fc.record({
        path: fc.uuid(),
        bytes: fc.nat(100),
        usedAt: fc.nat(now - 60_000),
        held: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(entries, fc.nat(1000), (all, bytes) => {
        const leaving = chooseLeaving(all, { bytes, now });
        expect(leaving.filter((one) => one.held)).toEqual([]);
        const kept = all.filter((one) => !leaving.includes(one));
        const size = kept.reduce((total, one) => total + one.bytes, 0);
        const last = leaving.at(-1);
        if (last !== undefined) expect(size + last.bytes).toBeGreaterThan(bytes);
        if (size > bytes) expect(kept.filter((one) => !one.held)).toEqual([]);
      }),
    );
  });
});
