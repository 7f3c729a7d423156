import { describe, expect, it } from "vitest";
import { toContentBlocks } from "../../../../shared/content/content-blocks.ts";

const png = "iVBORw0KGgo=";
const annotations = { audience: ["user"], priority: 0.5 };
const _meta = { "example.com/id": 7 };

const known: readonly (readonly [string, unknown, unknown])[] = [
  ["text", { type: "text", text: "é\n" }, { type: "text", text: "é\n" }],
  ["empty text", { type: "text", text: "" }, { type: "text", text: "" }],
  [
    "an image",
    { type: "image", data: png, mimeType: "image/png" },
    { type: "image", data: png, mime_type: "image/png" },
  ],
  [
    "audio",
    { type: "audio", data: "", mimeType: "audio/wav" },
    { type: "audio", data: "", mime_type: "audio/wav" },
  ],
  [
    "an embedded text resource",
    { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "zoë" } },
    {
      type: "binary",
      uri: "file:///a",
      mime_type: "text/plain",
      data: "em/Dqw==",
      size: 4,
      text: "zoë",
    },
  ],
  [
    "an embedded blob",
    { type: "resource", resource: { uri: "x://1", blob: "AAEC" } },
    { type: "binary", uri: "x://1", mime_type: null, data: "AAEC", size: 3 },
  ],
  [
    "a resource's own _meta",
    { type: "resource", resource: { uri: "x://1", blob: "AAEC", _meta } },
    { type: "binary", uri: "x://1", mime_type: null, data: "AAEC", size: 3, resource_meta: _meta },
  ],
  [
    "a resource link",
    {
      type: "resource_link",
      uri: "x://2",
      name: "two",
      title: "Two",
      description: "The second",
      mimeType: "text/csv",
      size: 12,
      icons: [{ src: "https://example.com/i.png" }],
    },
    {
      type: "binary",
      uri: "x://2",
      mime_type: "text/csv",
      data: null,
      name: "two",
      title: "Two",
      description: "The second",
      size: 12,
      icons: [{ src: "https://example.com/i.png" }],
    },
  ],
  [
    "optional fields that are null",
    { type: "resource_link", uri: "x://3", name: "n", size: null, annotations: null, _meta: null },
    { type: "binary", uri: "x://3", mime_type: null, data: null, name: "n" },
  ],
];

const broken: readonly (readonly [string, unknown, string])[] = [
  ["an unknown type", { type: "video", data: "AA==" }, 'of the unknown type "video"'],
  ["a type from Object's prototype", { type: "constructor" }, 'of the unknown type "constructor"'],
  ["no type", { text: "a" }, "of no type"],
  ["null", null, "malformed"],
  ["a plain string", "hello", "malformed"],
  ["an array", [1], "malformed"],
  ["text that is no string", { type: "text", text: 5 }, "text: "],
  [
    "base64 with a foreign character",
    { type: "image", data: "AA-_", mimeType: "image/png" },
    "data: is not base64",
  ],
  [
    "base64 of an impossible length",
    { type: "audio", data: "AAAAA", mimeType: "audio/wav" },
    "data: is not base64",
  ],
  ["an image without a MIME type", { type: "image", data: png }, "mimeType: "],
  ["a resource without uri", { type: "resource", resource: { text: "a" } }, "resource.uri: "],
  [
    "a resource without content",
    { type: "resource", resource: { uri: "x://1" } },
    "resource: has neither",
  ],
  [
    "a resource with a bad blob",
    { type: "resource", resource: { uri: "x://1", blob: "%" } },
    "resource: has neither",
  ],
  ["a link without uri", { type: "resource_link", name: "a" }, "uri: "],
  [
    "annotations that are a list",
    { type: "text", text: "a", annotations: [] },
    "annotations: is no object",
  ],
];

describe("toContentBlocks", () => {
  it.each(known)("keeps %s whole (case 40, case 42)", (_, raw, block) => {
    expect(toContentBlocks([raw])).toEqual({ content: [block], warnings: [] });
  });

  it.each(known.filter(([name]) => !name.startsWith("optional")))(
    "keeps annotations and _meta of %s",
    (_, raw, block) => {
      const { content } = toContentBlocks([Object.assign({}, raw, { annotations, _meta })]);
      expect(content).toEqual([Object.assign({}, block, { annotations, meta: _meta })]);
    },
  );

  it.each(broken)("keeps %s as JSON text with a warning that says why", (_, raw, reason) => {
    const { content, warnings } = toContentBlocks([{ type: "text", text: "before" }, raw]);
    expect(content).toEqual([
      { type: "text", text: "before" },
      { type: "text", text: JSON.stringify(raw), unrecognized: true },
    ]);
    expect(warnings).toEqual([
      { code: "BLOCK_UNRECOGNIZED", message: expect.stringContaining(reason) },
    ]);
    expect(warnings[0]?.message).toMatch(/^content\[1\] is /);
  });

  it("keeps the order of all blocks", () => {
    const raw = [...known.map(([, block]) => block), ...broken.map(([, block]) => block)];
    const { content } = toContentBlocks(raw);
    expect(content).toEqual([
      ...known.map(([, , block]) => block),
      ...broken.map(([, block]) => ({
        type: "text",
        text: JSON.stringify(block),
        unrecognized: true,
      })),
    ]);
  });

  it("flags a block that was repaired upstream, drops the mark and warns no second time", () => {
    const mark = { "dev.gangway/unrecognized": true };
    expect(
      toContentBlocks([
        { type: "text", text: "{}", _meta: mark },
        { type: "text", text: "{}", _meta: { ...mark, kept: 1 } },
      ]),
    ).toEqual({
      content: [
        { type: "text", text: "{}", unrecognized: true },
        { type: "text", text: "{}", unrecognized: true, meta: { kept: 1 } },
      ],
      warnings: [],
    });
  });

  it("keeps a _meta key named __proto__ as data", () => {
    const raw: unknown = JSON.parse('{"type":"text","text":"a","_meta":{"__proto__":{"x":1}}}');
    const { content } = toContentBlocks([raw]);
    expect(JSON.stringify(content)).toBe(
      '[{"type":"text","text":"a","meta":{"__proto__":{"x":1}}}]',
    );
  });

  it("takes the text of a resource that has a blob too", () => {
    const resource = { uri: "x://1", text: "a", blob: "%%" };
    expect(toContentBlocks([{ type: "resource", resource }]).content).toEqual([
      { type: "binary", uri: "x://1", mime_type: null, data: "YQ==", size: 1, text: "a" },
    ]);
  });

  it("sums up after twenty warnings", () => {
    const { content, warnings } = toContentBlocks(Array.from({ length: 1000 }, () => ({})));
    expect(content).toHaveLength(1000);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)?.message).toBe(
      "980 further blocks could not be read; their JSON is kept as text.",
    );
  });

  it.each([
    ["good", "A".repeat(8 * 1024 * 1024)],
    ["bad at its end", `${"A".repeat(8 * 1024 * 1024)}!`],
    ["all padding", "=".repeat(8 * 1024 * 1024)],
  ])(
    "decides on 8 MiB of base64, %s, without going over it again and again",
    (_, data) => {
      // The test's own time limit: what is not linear takes minutes.
      const { content } = toContentBlocks([{ type: "image", data, mimeType: "image/png" }]);
      expect(content).toHaveLength(1);
    },
    60_000,
  );
});
