import { describe, expect, it } from "vitest";
import { Turns } from "../../../../../functions/host/launch/npm/turns.ts";

describe("Turns", () => {
  it("runs so many at once and no more, the others in the order they came, failures included", async () => {
    const turns = new Turns(2);
    const begun: number[] = [];
    const ends = Array.from({ length: 5 }, () => Promise.withResolvers<number>());
    const runs = ends.map(({ promise }, n) =>
      turns.run(() => {
        begun.push(n);
        return promise;
      }),
    );
    expect(begun).toEqual([0, 1]);
    ends[1]?.reject(new TypeError("failed"));
    await expect(runs[1]).rejects.toThrow("failed");
    expect(begun).toEqual([0, 1, 2]);
    for (const [n, end] of ends.entries()) end.resolve(n);
    expect(await Promise.allSettled(runs)).toHaveLength(5);
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    await expect(turns.run(() => Promise.resolve("free again"))).resolves.toBe("free again");
  });
});
