import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { plainTerms } from "../../../../../functions/host/launch/npm/package-spec.ts";
import { TagMemory } from "../../../../../functions/host/launch/npm/tag-memory.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-tags-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const spec = { name: "@scope/name", version: null, terms: plainTerms };

describe("TagMemory", () => {
  it("recalls a version for its time to live, and remembers the last one for ever", async () => {
    let now = 0;
    const tags = new TagMemory(folder, 1000, () => now);
    expect(await tags.recall(spec)).toBeNull();
    await tags.remember(spec, "1.0.0");
    now = 999;
    expect(await tags.recall(spec)).toBe("1.0.0");
    now = 1000;
    expect(await tags.recall(spec)).toBeNull();
    expect(await tags.last(spec)).toBe("1.0.0");
    expect(await tags.last({ ...spec, version: "next" })).toBeNull();
  });

  it("takes a broken record for none", async () => {
    const tags = new TagMemory(folder, 1000, () => 0);
    const [name = ""] = await readdir(folder);
    await writeFile(join(folder, name), '{"version":');
    expect(await tags.last(spec)).toBeNull();
  });
});
