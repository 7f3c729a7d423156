import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Warning } from "../../../../shared/content/call-result.ts";
import { readContent, unrecognizedKey } from "../../../../shared/mcp/read-content.ts";

const sound = [
  { type: "text", text: "" },
  { type: "text", text: "hi", annotations: { audience: ["user"] }, _meta: { a: 1 }, extra: [1] },
  { type: "image", data: "AAAA", mimeType: "image/png" },
  { type: "audio", data: "", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "file:///a", text: "x", mimeType: "text/plain" } },
  { type: "resource", resource: { uri: "file:///b", blob: "AAAA", _meta: { b: 2 } } },
  { type: "resource_link", uri: "file:///c", name: "c", size: 3 },
];

const unsound: unknown[] = [
  { type: "hologram" },
  { type: "constructor" },
  { type: "__proto__" },
  { type: 7 },
  { text: "no type" },
  { type: "text" },
  { type: "text", text: 7 },
  { type: "image", data: "AAA", mimeType: "image/png" },
  { type: "image", data: "AAAA" },
  { type: "resource", resource: { uri: "file:///a" } },
  { type: "resource", resource: { text: "no uri" } },
  { type: "resource", resource: { uri: "file:///b", blob: "!" } },
  { type: "resource_link", name: "no uri" },
  "text",
  null,
  7,
  [],
];

function read(content: unknown) {
  const warnings: Warning[] = [];
  return { blocks: readContent(content, warnings), warnings };
}

describe("readContent", () => {
  it.each(sound)("passes %j as it is", (block) => {
    const { blocks, warnings } = read([block]);
    expect(blocks[0]).toBe(block);
    expect(warnings).toEqual([]);
  });

  it.each(unsound)("turns %j into flagged text", (block) => {
    const { blocks, warnings } = read([block]);
    expect(blocks).toEqual([
      { type: "text", text: JSON.stringify(block), _meta: { [unrecognizedKey]: true } },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(["BLOCK_UNRECOGNIZED"]);
  });

  it("keeps order and number whatever comes", () => {
    const block = fc.oneof(
      fc.constantFrom(...sound),
      fc.constantFrom(...unsound),
      fc.json().map((text) => JSON.parse(text) as unknown),
    );
    fc.assert(
      fc.property(fc.array(block), (content) => {
        const { blocks, warnings } = read(content);
        expect(blocks).toHaveLength(content.length);
        const flagged = blocks.filter((_, index) => blocks[index] !== content[index]);
        expect(warnings).toHaveLength(flagged.length);
      }),
    );
  });

  it("takes a missing content as empty and a lone block as a list", () => {
    expect(read(undefined).blocks).toEqual([]);
    expect(read(null)).toEqual({ blocks: [], warnings: [] });
    const lone = read({ type: "text", text: "x" });
    expect(lone.blocks).toEqual([{ type: "text", text: "x" }]);
    expect(lone.warnings).toHaveLength(1);
  });

  it("mends base64 with line breaks in place", () => {
    const { blocks, warnings } = read([
      { type: "image", data: "AA\nAA", mimeType: "image/png" },
      { type: "resource", resource: { uri: "a:b", blob: "AA\r\nAA" } },
    ]);
    expect(blocks).toMatchObject([{ data: "AAAA" }, { resource: { blob: "AAAA" } }]);
    expect(warnings).toEqual([]);
  });

  it("leaves out extras of a wrong type, null without a word", () => {
    const { blocks, warnings } = read([
      { type: "text", text: "a", annotations: null, _meta: null },
      { type: "text", text: "b", annotations: "high", _meta: [] },
    ]);
    expect(blocks).toEqual([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]);
    expect(warnings.map(({ code }) => code)).toEqual(["FIELD_REPAIRED", "FIELD_REPAIRED"]);
  });

  it("does not let a server set the flag", () => {
    const { blocks } = read([
      { type: "text", text: "a", _meta: { [unrecognizedKey]: true, own: 1 } },
    ]);
    expect(blocks).toEqual([{ type: "text", text: "a", _meta: { own: 1 } }]);
  });
});
