import { expect, it } from "vitest";
import { mapLimited } from "../../../../functions/edge/secrets/map-limited.ts";

it("keeps the order of the items and never works on more than the limit at once", async () => {
  let running = 0;
  let most = 0;
  const results = await mapLimited([5, 1, 4, 2, 3], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    running -= 1;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});

it("begins nothing more after the first failure", async () => {
  const begun: number[] = [];
  const work = mapLimited([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 2) throw new TypeError("second");
    await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
  });
  await expect(work).rejects.toThrow("second");
  expect(begun.length).toBeLessThan(6);
});

it("gives nothing for nothing", async () => {
  expect(await mapLimited([], 4, async () => 1)).toEqual([]);
});
