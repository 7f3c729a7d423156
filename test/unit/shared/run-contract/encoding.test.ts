import { describe, expect, it } from "vitest";
import {
  encodingNames,
  encodingOf,
  findEncoding,
} from "../../../../shared/run-contract/encoding.ts";

describe("findEncoding", () => {
  it.each([
    ["utf-8", "utf-8"],
    ["UTF8", "utf-8"],
    ["utf_8", "utf-8"],
    ["utf-8-sig", "utf-8"],
    ["latin_1", "latin-1"],
    ["ISO-8859-1", "latin-1"],
    ["iso8859_15", "iso-8859-15"],
    ["cp1252", "windows-1252"],
    ["cp932", "shift_jis"],
    ["Shift_JIS", "shift_jis"],
    ["gb2312", "gbk"],
    ["us-ascii", "ascii"],
    ["koi8_r", "koi8-r"],
    ["UTF-16", "utf-16"],
    ["utf_16_le", "utf-16-le"],
    ["UTF-16BE", "utf-16-be"],
  ])("reads the label %s as %s", (label, name) => {
    expect(findEncoding(label)).toBe(name);
  });

  it.each(["utf_32", "utf-7", "ebcdic", "cp037", "", "rot13"])(
    "does not know %j, which is neither ASCII-compatible nor UTF-16",
    (label) => {
      expect(findEncoding(label)).toBeNull();
    },
  );

  it("gives every name but UTF-16's a decoder that reads ASCII as ASCII", () => {
    const ascii = '{"jsonrpc":"2.0"}';
    const names = encodingNames().filter((name) => encodingOf(name).wide === undefined);
    expect(names.length).toBe(encodingNames().length - 3);
    const decoded = names
      .map((name) => encodingOf(name).whatwg ?? "utf-8")
      .map((label) => new TextDecoder(label).decode(new TextEncoder().encode(ascii)));
    expect(new Set(decoded)).toEqual(new Set([ascii]));
  });
});
