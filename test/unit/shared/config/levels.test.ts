import { describe, expect, it } from "vitest";
import { mergeLevels } from "../../../../shared/config/levels.ts";

describe("mergeLevels", () => {
  it("lets the nearer level replace the whole entry of a name, in its place", () => {
    const far = [
      { name: "a", url: "far", headers: "far" },
      { name: "b", url: "far" },
    ];
    const near = [
      { name: "c", url: "near" },
      { name: "a", url: "near" },
    ];
    expect(mergeLevels<{ name: string; url: string }>([far, [], near])).toEqual([
      { name: "a", url: "near" },
      { name: "b", url: "far" },
      { name: "c", url: "near" },
    ]);
  });
});
