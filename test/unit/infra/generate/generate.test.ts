import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { staleOutputs, writeOutputs } from "../../../../infra/generate/generate.ts";
import { outputs, type Output } from "../../../../infra/generate/outputs.ts";

const some: readonly Output[] = [
  { path: "docs/a.md", render: () => "# A\n\n* one\n* two\n" },
  { path: "b.json", render: () => Promise.resolve('{"a":1}') },
];

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "generate-"));
});
afterEach(() => rm(root, { recursive: true }));

describe("writeOutputs", () => {
  it("writes every file as the formatter leaves it, making folders", async () => {
    await writeOutputs(some, root);
    expect(await readFile(join(root, "docs/a.md"), "utf8")).toBe("# A\n\n- one\n- two\n");
    expect(await readFile(join(root, "b.json"), "utf8")).toBe('{ "a": 1 }\n');
  });

  it("refuses an output that does not parse", async () => {
    const broken = [{ path: "b.json", render: () => "{" }];
    await expect(writeOutputs(broken, root)).rejects.toThrow("b.json does not parse");
  });
});

describe("staleOutputs", () => {
  it("finds nothing right after writing", async () => {
    await writeOutputs(some, root);
    expect(await staleOutputs(some, root)).toEqual([]);
  });

  it("names a file that was changed by hand, and one that is missing", async () => {
    await writeOutputs(some, root);
    await writeFile(join(root, "docs/a.md"), "# A\n");
    expect(await staleOutputs(some, root)).toEqual(["docs/a.md"]);
    await rm(join(root, "b.json"));
    expect(await staleOutputs(some, root)).toEqual(["docs/a.md", "b.json"]);
  });

  it("names a file whose source has changed", async () => {
    await writeOutputs(some, root);
    const [first] = some;
    const changed = first === undefined ? [] : [{ path: first.path, render: () => "# B\n" }];
    expect(await staleOutputs(changed, root)).toEqual(["docs/a.md"]);
  });
});

describe("outputs", () => {
  it("names each file once", () => {
    const paths = outputs.map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toContain("docs/reference/errors.md");
  });
});
