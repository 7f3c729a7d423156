import { describe, expect, it } from "vitest";
import { chooseBin } from "../../../../../functions/host/launch/npm/choose-bin.ts";

const manifest = (bin: string | Record<string, string> | undefined, name = "@scope/server") => ({
  name,
  version: "1.0.0",
  ...(bin === undefined ? {} : { bin }),
});

describe("chooseBin", () => {
  it.each([
    ["the only program, whatever its name", manifest({ other: "a.js" }), null, "a.js"],
    ["a program given as a path alone", manifest("a.js"), null, "a.js"],
    [
      "the program named as the unscoped package among several",
      manifest({ server: "a.js", tool: "b.js" }),
      null,
      "a.js",
    ],
    ["the only file under several names", manifest({ one: "a.js", two: "a.js" }), null, "a.js"],
    ["a program by its name", manifest({ server: "a.js", tool: "b.js" }), "tool", "b.js"],
    ["a path-only program by its package's name", manifest("a.js"), "server", "a.js"],
  ])("takes %s", (_what, declared, bin, path) => {
    expect(chooseBin(declared, bin)).toBe(path);
  });

  it.each(["sh", "bash", "node", "python3", "npx"])(
    "refuses %s even when the package declares it",
    (bin) => {
      expect(() => chooseBin(manifest({ [bin]: "a.js", server: "b.js" }), bin)).toThrow(
        expect.objectContaining({
          code: "LAUNCH_NOT_ALLOWED",
          details: { reason: "bin-is-interpreter" },
        }),
      );
    },
  );

  it("refuses an interpreter that is the package's only program", () => {
    expect(() => chooseBin(manifest({ bash: "a.js" }), null)).toThrow(
      expect.objectContaining({ code: "LAUNCH_NOT_ALLOWED" }),
    );
  });

  it.each(["missing", "__proto__", "constructor", "toString"])(
    "refuses %s, which the package does not declare",
    (bin) => {
      expect(() => chooseBin(manifest({ server: "a.js" }), bin)).toThrow(
        expect.objectContaining({
          code: "LAUNCH_NOT_ALLOWED",
          details: { reason: "bin-not-declared" },
        }),
      );
    },
  );

  it("names the choices when the package leaves several", () => {
    expect(() => chooseBin(manifest({ one: "a.js", two: "b.js" }), null)).toThrow(
      expect.objectContaining({
        code: "PROCESS_START_FAILED",
        message: expect.stringContaining("one, two"),
      }),
    );
  });

  it.each([undefined, {}])("refuses a package with no program", (bin) => {
    expect(() => chooseBin(manifest(bin), null)).toThrow(
      expect.objectContaining({ code: "PROCESS_START_FAILED" }),
    );
  });
});
