import { describe, expect, it } from "vitest";
import { unlistedSkips } from "../../support/not-run.ts";

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
});
