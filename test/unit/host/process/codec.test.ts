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
    expect(() => openCodec("utf-16")).toThrow(
      expect.objectContaining({ code: "CONFIG_INVALID", hint: expect.stringContaining("utf-8") }),
    );
  });
});
