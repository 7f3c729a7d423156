import { describe, expect, it } from "vitest";
import { whereThrown } from "../../../../shared/errors/where-thrown.ts";

describe("whereThrown", () => {
  it("tells an error's name and frames", () => {
    const { name, stack } = whereThrown(new RangeError("out of range"));
    expect(name).toBe("RangeError");
    expect(stack.length).toBeGreaterThan(0);
    expect(stack.every((line) => line.startsWith("at "))).toBe(true);
  });

  it("tells nothing of its message, whose lines may look like frames", () => {
    const message = "value canary-1\n    at canary-2 (file.ts:1:1)\ncanary-3";
    expect(JSON.stringify(whereThrown(new TypeError(message)))).not.toContain("canary");
  });

  it("tells only the type of what is no error", () => {
    expect(whereThrown("canary")).toEqual({ name: "string", stack: [] });
  });
});
