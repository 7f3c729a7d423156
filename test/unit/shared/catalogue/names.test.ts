import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  findOriginal,
  isLegalName,
  publicNames,
  qualifiedName,
} from "../../../../shared/catalogue/names.ts";
import { serverNamePattern } from "../../../../shared/config/server-config.ts";

function hash6(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 6);
}

const toolName = fc.oneof(
  fc.string({ unit: "binary", maxLength: 90 }),
  fc.string({
    unit: fc.constantFrom("a", "b", " ", ":", "/", ".", "-", "_", "é", "\ud800"),
    maxLength: 4,
  }),
);
const serverName = fc
  .stringMatching(/^[0-9A-Za-z_]{1,80}$/)
  .filter((name) => serverNamePattern.test(name));

/** Two names that are changed alike and have the same six hash digits, found by trying. */
function equalHashes(): [string, string] {
  const seen = new Map<string, string>();
  for (let count = 0; ; count++) {
    const name = count.toString(2).padStart(20, "0").replaceAll("0", ":").replaceAll("1", "/");
    const other = seen.get(hash6(name));
    if (other !== undefined) return [other, name];
    seen.set(hash6(name), name);
  }
}

describe("isLegalName", () => {
  it.each([
    ["simple_name", true],
    ["Name-With.Dots_And-Hyphens", true],
    ["", false],
    ["a b", false],
    ["a\n", false],
    ["é", false],
    ["a/b", false],
    ["a:b", false],
  ])("says of %j: %s", (name, legal) => {
    expect(isLegalName(name)).toBe(legal);
  });
});

describe("publicNames", () => {
  it.each([
    ["nasa/get-astronomy-picture", "nasa-get-astronomy-picture"],
    ["weird\\name with spaces", "weird-name-with-spaces"],
    ["simple_name", "simple_name"],
    ["Name-With.Dots_And-Hyphens", "Name-With.Dots_And-Hyphens"],
    ["files:read/all", "files-read-all"],
    ["wetter 😀", "wetter--"],
    ["", `-${hash6("")}`],
  ])("makes %j legal as %j (case 45)", async (original, name) => {
    expect([...(await publicNames([original]))]).toEqual([[original, name]]);
  });

  it("gives the changed name a hash where it meets a legal one, in either order", async () => {
    const changed = `read-document-${hash6("read document")}`;
    expect([...(await publicNames(["read-document", "read document"]))]).toEqual([
      ["read-document", "read-document"],
      ["read document", changed],
    ]);
    expect((await publicNames(["read document", "read-document"])).get("read document")).toBe(
      changed,
    );
  });

  it("gives both a hash where two changed names meet", async () => {
    expect([...(await publicNames(["a b", "a/b", "c d"]))]).toEqual([
      ["a b", `a-b-${hash6("a b")}`],
      ["a/b", `a-b-${hash6("a/b")}`],
      ["c d", "c-d"],
    ]);
  });

  it("lengthens the hash where a server has taken the short form on purpose", async () => {
    const digest = createHash("sha256").update("a b").digest("hex");
    const taken = [6, 12, 18].map((digits) => `a-b-${digest.slice(0, digits)}`);
    const names = await publicNames(["a b", "a-b", ...taken]);
    expect(names.get("a b")).toBe(`a-b-${digest.slice(0, 24)}`);
    expect(new Set(names.values()).size).toBe(5);
  });

  it("tells two names apart whose short hashes are equal, whatever the order", async () => {
    const [first, second] = equalHashes();
    const names = await publicNames([first, second, "-".repeat(first.length)]);
    expect(new Set(names.values()).size).toBe(3);
    expect(await publicNames([second, "-".repeat(first.length), first])).toEqual(names);
  });

  it("names every tool, legally, apart from the others, whatever the order of the list", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(toolName, { maxLength: 30 }), async (originals) => {
        const names = await publicNames(originals);
        expect([...names.keys()]).toEqual([...new Set(originals)]);
        expect(new Set(names.values()).size).toBe(names.size);
        expect([...names.values()].every(isLegalName)).toBe(true);
        const legal = [...names].filter(([original]) => isLegalName(original));
        expect(legal.every(([original, name]) => name === original)).toBe(true);
        const reversed = await publicNames(originals.toReversed());
        expect(reversed).toEqual(names);
      }),
    );
  });
});

describe("qualifiedName", () => {
  const changed = (server: string, tool: string): string => hash6(JSON.stringify([server, tool]));

  it.each([
    ["github", "create_issue", "github__create_issue"],
    ["_a", "b-c", "_a__b-c"],
    ["a", "_b", "a___b"],
    ["a", "", "a__"],
    ["a", "b__c", "a__b__c"],
    ["s", "x".repeat(61), `s__${"x".repeat(61)}`],
  ])("joins %j and %j as they are when that is legal", async (server, tool, name) => {
    expect(await qualifiedName(server, tool)).toBe(name);
  });

  it.each([
    ["fs", "read.file", `fs__read-file-${changed("fs", "read.file")}`],
    ["fs", "a/b c", `fs__a-b-c-${changed("fs", "a/b c")}`],
    ["1st", "a", `_1st__a-${changed("1st", "a")}`],
    ["a_", "b", `a___b-${changed("a_", "b")}`],
    ["s", "x".repeat(62), `s__${"x".repeat(54)}-${changed("s", "x".repeat(62))}`],
  ])("marks the change of %j and %j by a hash (case 45, case 47)", async (server, tool, name) => {
    expect(await qualifiedName(server, tool)).toBe(name);
  });

  it("keeps long names apart that begin alike (case 47)", async () => {
    const names = await Promise.all(
      Array.from({ length: 500 }, (_, index) => qualifiedName("s", `${"x".repeat(80)}${index}`)),
    );
    expect(new Set(names).size).toBe(500);
  });

  it("fits [A-Za-z_][A-Za-z0-9_-]{0,63} for any server and tool", async () => {
    await fc.assert(
      fc.asyncProperty(serverName, toolName, async (server, tool) => {
        expect(await qualifiedName(server, tool)).toMatch(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
      }),
    );
  });

  it("differs for different servers or tools (case 46, case 48)", async () => {
    const small = fc.constantFrom("a", "_", "a_", "_a", "_a_", "aa");
    const tool = fc.string({ unit: fc.constantFrom("a", "_", ".", " ", "-"), maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(small, tool), { maxLength: 40 }), async (pairs) => {
        const distinct = new Set(pairs.map((pair) => JSON.stringify(pair)));
        const names = await Promise.all(pairs.map(([server, name]) => qualifiedName(server, name)));
        expect(new Set(names).size).toBe(distinct.size);
      }),
      { numRuns: 300 },
    );
  });
});

describe("findOriginal", () => {
  const originals = ["read file", "read-file", "ls", "a/b"];

  it.each([
    ["ls", "ls"],
    ["read-file", "read-file"],
    ["read file", "read file"],
    [`read-file-${hash6("read file")}`, "read file"],
    ["a-b", "a/b"],
    ["fs__ls", "ls"],
    ["fs__read-file", "read-file"],
    ["nope", undefined],
    ["other__ls", undefined],
    ["", undefined],
  ])("finds by %j the tool %j (case 46)", async (requested, original) => {
    expect(await findOriginal(requested, "fs", originals)).toBe(original);
  });

  it("finds every tool again by each of its names", async () => {
    await fc.assert(
      fc.asyncProperty(
        serverName,
        fc.uniqueArray(toolName, { maxLength: 10 }),
        async (server, tools) => {
          for (const [original, name] of await publicNames(tools)) {
            expect(await findOriginal(name, server, tools)).toBe(original);
            expect(await findOriginal(original, server, tools)).toBe(original);
          }
        },
      ),
    );
  });
});
