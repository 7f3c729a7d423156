import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unlistedSkips } from "../../support/not-run.ts";
import { root } from "../../support/source-files.ts";

const list = [
  "# a comment > is no test | reason",
  "test/a.test.ts > one > works | needs a Docker engine",
  "test/a.test.ts > no reason |",
  "test/a.test.ts > no border",
  "test/b.test.ts > * | needs a browser",
].join("\n");

describe("the list of tests that may be skipped", () => {
  it("excuses a test that is listed with a reason, and no other", () => {
    const names = [
      "test/a.test.ts > one > works",
      "test/a.test.ts > two",
      "test/a.test.ts > no reason",
      "test/a.test.ts > no border",
      "a comment > is no test",
    ];
    expect(unlistedSkips(names, list)).toEqual(names.slice(1));
  });

  it("excuses all of a file by a star", () => {
    const names = ["test/b.test.ts > one > works", "test/bb.test.ts > one > works"];
    expect(unlistedSkips(names, list)).toEqual(["test/bb.test.ts > one > works"]);
  });

  it("names files that are there, each line once and with a reason", () => {
    const text = readFileSync(join(root, "test/not-run.txt"), "utf8");
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(lines.filter((line) => !existsSync(join(root, line.split(" > ")[0] ?? "")))).toEqual([]);
    const names = lines.map((line) => line.slice(0, line.lastIndexOf(" | ")));
    expect(new Set(names).size).toBe(lines.length);
    expect(unlistedSkips(names, text)).toEqual([]);
  });
});
