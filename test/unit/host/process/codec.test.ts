import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame, openCodec } from "../../../../functions/host/process/codec.ts";

describe("encodeFrame", () => {
  it("writes any message as one line of ASCII that reads back as itself", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const frame = encodeFrame(value);
        expect(frame).toMatch(/^[\x20-\x7e]*\n$/);
        expect(JSON.parse(frame)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("openCodec", () => {
  it.each([
    ["utf-8", "ä漢🙂", [0xc3, 0xa4, 0xe6, 0xbc, 0xa2, 0xf0, 0x9f, 0x99, 0x82]],
    ["latin_1", "ä\u0085", [0xe4, 0x85]],
    ["cp1252", "ä€", [0xe4, 0x80]],
    ["cp932", "漢", [0x8a, 0xbf]],
    ["gbk", "漢", [0x9d, 0x68]],
  ])("reads %s", (label, text, bytes) => {
    expect(openCodec(label).decode(Uint8Array.from(bytes))).toBe(text);
  });

  it.each([
    ["utf-8", [0xff]],
    ["ascii", [0x80]],
    ["euc-jp", [0xff, 0xff]],
  ])("refuses bytes that are not %s, and reads the next line all the same", (label, bytes) => {
    const codec = openCodec(label);
    expect(() => codec.decode(Uint8Array.from(bytes))).toThrow(TypeError);
    expect(codec.decode(Uint8Array.of(0x61))).toBe("a");
  });

  it("names what may be used instead of an unknown label", () => {
    expect(() => openCodec("utf-32")).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", hint: expect.stringContaining("utf-8") }),
    );
  });
});

describe("UTF-16", () => {
  const labels = [
    ["utf-16", "le"],
    ["UTF_16", "le"],
    ["utf-16-le", "le"],
    ["utf-16be", "be"],
  ] as const;
  const wide = (text: string, order: "le" | "be") => {
    const bytes = Buffer.from(text, "utf16le");
    return order === "le" ? bytes : bytes.swap16();
  };

  it.each(labels)("as %s is written two bytes a character, without a mark", (label, order) => {
    expect(openCodec(label).encode('{"a":1}\n')).toEqual(wide('{"a":1}\n', order));
  });

  it.each(labels)("as %s is read whole, wherever it is cut", (label, order) => {
    const { openReader, decode } = openCodec(label);
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 30 }),
        fc.array(fc.nat(8), { maxLength: 30 }),
        (text, cuts) => {
          const read = openReader();
          const bytes = wide(text, order);
          const pieces: Uint8Array[] = [];
          let from = 0;
          for (const cut of [...cuts, bytes.length]) {
            pieces.push(read(bytes.subarray(from, from + cut)));
            from += cut;
          }
          expect(decode(Buffer.concat(pieces))).toBe(text.replace(/^\uFEFF/, ""));
        },
      ),
    );
  });

  it("without an order is read as its mark says", () => {
    const { openReader, decode } = openCodec("utf-16");
    for (const order of ["le", "be"] as const) {
      const read = openReader();
      const bytes = wide("\uFEFF漢🙂", order);
      const parts = [read(bytes.subarray(0, 1)), read(bytes.subarray(1))];
      expect(decode(Buffer.concat(parts))).toBe("漢🙂");
    }
  });

  it("with half a surrogate pair is refused, and the next line is read all the same", () => {
    const { openReader, decode } = openCodec("utf-16-le");
    const read = openReader();
    const lines = [wide("a\uD800b\n", "le"), wide("c\n", "le")].map(read);
    expect(() => decode(lines[0] ?? new Uint8Array())).toThrow(TypeError);
    expect(decode(lines[1] ?? new Uint8Array())).toBe("c\n");
  });
});
