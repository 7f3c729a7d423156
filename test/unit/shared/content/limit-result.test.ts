import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContentBlock } from "../../../../shared/content/call-result.ts";
import { limitResult, type ResultParts } from "../../../../shared/content/limit-result.ts";

function text(value: string, extra: object = {}): ContentBlock {
  return { type: "text", text: value, ...extra };
}

function image(base64Bytes: number): ContentBlock {
  return { type: "image", data: "A".repeat(base64Bytes), mime_type: "image/png" };
}

/** Bytes of the answer's parts as they stand in its JSON. */
function jsonBytes({ content, structured_content, meta }: ResultParts): number {
  return [content, structured_content, meta]
    .filter((part) => part !== undefined)
    .reduce<number>((sum, part) => sum + Buffer.byteLength(JSON.stringify(part)), 0);
}

describe("limitResult", () => {
  it("leaves a result that fits exactly as it is", () => {
    const parts = {
      content: [text("a"), image(100)],
      structured_content: { a: 1 },
      meta: { b: 2 },
    };
    expect(limitResult(parts, 10_000)).toEqual({ parts, truncated: [] });
  });

  it.each([
    ["a result without structured content", { content: [] }],
    ["structured content that is null", { content: [], structured_content: null }],
  ])("keeps %s", (_, parts) => {
    expect(limitResult(parts, 100)).toEqual({ parts, truncated: [] });
  });

  it("cuts text after a whole character and says how much is left (case 44)", () => {
    const { parts, truncated } = limitResult({ content: [text("€".repeat(1000))] }, 1024);
    const [block] = parts.content;
    const kept = block?.type === "text" ? block.text : "";
    expect(kept).toBe("€".repeat(kept.length));
    expect(kept.length).toBeGreaterThan(320);
    expect(truncated).toEqual([
      { pointer: "/content/0/text", original_bytes: 3000, kept_bytes: kept.length * 3 },
    ]);
  });

  it("keeps annotations and _meta of a text that is cut", () => {
    const extra = { annotations: { priority: 1 }, meta: { a: 1 } };
    const { parts } = limitResult({ content: [text("a".repeat(5000), extra)] }, 1024);
    expect(parts.content[0]).toMatchObject(extra);
  });

  it("puts a description in the place of media that does not fit (case 44)", () => {
    const { parts, truncated } = limitResult(
      { content: [text("a"), image(5000), text("b")] },
      1024,
    );
    expect(parts.content).toEqual([
      text("a"),
      text("[image left out to keep the result's size limit: image/png, 5000 bytes of base64]"),
      text("b"),
    ]);
    expect(truncated).toEqual([{ pointer: "/content/1", original_bytes: 5050, kept_bytes: 0 }]);
  });

  it("names MIME type and uri of a resource that it leaves out, shortened", () => {
    const block: ContentBlock = {
      type: "binary",
      uri: `x://${"u".repeat(5000)}`,
      mime_type: "application/pdf",
      data: "AAAA",
    };
    const [described] = limitResult({ content: [block] }, 1024).parts.content;
    expect(described).toEqual(
      text(
        `[binary left out to keep the result's size limit: application/pdf, x://${"u".repeat(196)}, 4 bytes of base64]`,
      ),
    );
  });

  it("gives up the base64 of a text resource before its text", () => {
    const block: ContentBlock = {
      type: "binary",
      uri: "file:///a",
      mime_type: "text/plain",
      data: "YWFh".repeat(300),
      text: "a".repeat(900),
      name: "a",
    };
    const { parts, truncated } = limitResult({ content: [block] }, 1100);
    expect(parts.content).toEqual([{ ...block, data: null }]);
    expect(truncated).toEqual([
      { pointer: "/content/0/data", original_bytes: 1200, kept_bytes: 0 },
    ]);
  });

  it("cuts the text of a text resource that is too long without base64 as well", () => {
    const block: ContentBlock = {
      type: "binary",
      uri: "file:///a",
      mime_type: null,
      data: "YWFh".repeat(1000),
      text: "a".repeat(3000),
    };
    const { parts, truncated } = limitResult({ content: [block] }, 1100);
    expect(parts.content[0]).toMatchObject({ type: "binary", uri: "file:///a", data: null });
    expect(truncated.map(({ pointer }) => pointer)).toEqual(["/content/0/data", "/content/0/text"]);
  });

  it("leaves out extras that are themselves too large, and tells each", () => {
    const meta = { note: "m".repeat(4000) };
    const { parts, truncated } = limitResult({ content: [text("short", { meta })] }, 1024);
    expect(parts.content).toEqual([text("short")]);
    expect(truncated).toEqual([
      { pointer: "/content/0/meta", original_bytes: 4011, kept_bytes: 0 },
    ]);
  });

  it("lets small blocks after a huge one through", () => {
    const content = [text("a".repeat(100_000)), text("summary"), image(40)];
    const { parts, truncated } = limitResult({ content }, 4096);
    expect(parts.content.slice(1)).toEqual(content.slice(1));
    expect(truncated).toHaveLength(1);
  });

  it("uses nearly all of the room for the text that it cuts", () => {
    const { parts } = limitResult({ content: [text("a".repeat(100_000)), text("b")] }, 4096);
    expect(jsonBytes(parts)).toBeGreaterThan(4096 - 8);
  });

  it("leaves blocks at the end out when not even their descriptions fit, in one entry", () => {
    const content = Array.from({ length: 1000 }, () => image(400));
    const { parts, truncated } = limitResult({ content }, 1024);
    expect(parts.content.length).toBeGreaterThan(2);
    expect(truncated.at(-1)).toMatchObject({ pointer: "/content", original_bytes: 450_000 });
    expect(truncated.length).toBeLessThan(20);
  });

  it("leaves structured content out whole when it does not fit, and says so (case 44)", () => {
    const structured_content = { rows: "r".repeat(2000) };
    const { parts, truncated } = limitResult({ content: [text("a")], structured_content }, 1024);
    expect(parts).toEqual({ content: [text("a")] });
    expect(truncated).toEqual([
      { pointer: "/structured_content", original_bytes: 2011, kept_bytes: 0 },
    ]);
  });

  it("leaves the result's _meta out whole when it does not fit, and says so", () => {
    const { parts, truncated } = limitResult({ content: [], meta: { a: "m".repeat(2000) } }, 1024);
    expect(parts).toEqual({ content: [] });
    expect(truncated).toEqual([{ pointer: "/metadata/meta", original_bytes: 2008, kept_bytes: 0 }]);
  });

  it.each([
    [{ content: [] }],
    [{ content: [text("a")] }],
    [{ content: [text("a".repeat(2000)), image(30), text("€")], meta: { a: 1 } }],
    [{ content: [image(3000), image(3000)], structured_content: [1, null], meta: { a: 1 } }],
  ])(
    "takes a result of exactly the limit whole, and not one byte more (%#)",
    (parts: ResultParts) => {
      expect(limitResult(parts, jsonBytes(parts))).toEqual({ parts, truncated: [] });
      const larger = { ...parts, content: [...parts.content, text("")] };
      expect(limitResult(larger, jsonBytes(larger) - 1).truncated).not.toEqual([]);
    },
  );

  it("never passes the limit, and tells whatever it changed", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc
        .tuple(fc.constantFrom("a", "€", "😀", "\u0001", '"', "\ud800"), fc.nat(3000))
        .map(([unit, times]) => unit.repeat(times)),
    );
    const extras = fc.record(
      {
        meta: fc.dictionary(fc.string(), anyText, { maxKeys: 2 }),
        annotations: fc.constant({ priority: 1 }),
      },
      { requiredKeys: [] },
    );
    const block: fc.Arbitrary<ContentBlock> = fc.oneof(
      fc.tuple(anyText, extras).map(([value, extra]) => text(value, extra)),
      fc.nat(4000).map(image),
      fc.record(
        {
          type: fc.constant("binary" as const),
          uri: fc.option(anyText),
          mime_type: fc.option(anyText),
          data: fc.option(fc.nat(2000).map((length) => "A".repeat(length))),
          text: anyText,
          description: anyText,
        },
        { requiredKeys: ["type", "uri", "mime_type", "data"] },
      ),
    );
    const parts = fc.record(
      {
        content: fc.array(block, { maxLength: 8 }),
        structured_content: fc.jsonValue(),
        meta: fc.dictionary(fc.string(), anyText),
      },
      { requiredKeys: ["content"] },
    );
    fc.assert(
      fc.property(parts, fc.integer({ min: 2, max: 12_000 }), (whole, limit) => {
        const limited = limitResult(whole, limit);
        expect(jsonBytes(limited.parts)).toBeLessThanOrEqual(limit);
        const unchanged = JSON.stringify(limited.parts) === JSON.stringify(whole);
        expect(limited.truncated.length === 0).toBe(unchanged);
        for (const { original_bytes, kept_bytes } of limited.truncated) {
          expect(kept_bytes).toBeLessThan(original_bytes);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["one text", [text("a".repeat(16 * 1024 * 1024))]],
    ["200,000 small blocks", Array.from({ length: 200_000 }, () => text("a"))],
    ["one image", [image(16 * 1024 * 1024)]],
  ])(
    "limits %s without going over it again and again",
    (_, content) => {
      // The test's own time limit: what is not linear takes minutes.
      expect(limitResult({ content }, 1024 * 1024).truncated.length).toBeGreaterThan(0);
    },
    60_000,
  );
});
