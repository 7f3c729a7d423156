import { describe, expect, it } from "vitest";
import { mapStrings } from "../../../../shared/secrets/map-strings.ts";
import { readNestedJson } from "../../../../shared/secrets/nested-json.ts";
import { createRedactor } from "../../../../shared/secrets/redact.ts";

/** Data written as JSON, that text as JSON again, and so on. */
function written(data: unknown, times: number): string {
  return Array.from({ length: times }).reduce<string>(
    (text) => JSON.stringify(text),
    JSON.stringify(data),
  );
}

describe("a text that is JSON inside JSON", () => {
  it.each([
    ['{"a":"x\\\\y"}', { a: "x\\y" }],
    [' \n["x\\\\y"]', ["x\\y"]],
    ['"x\\\\y"', "x\\y"],
  ])("is read: %s", (text, data) => {
    expect(readNestedJson(text)).toEqual(data);
  });

  it.each([
    ["it has nothing that is escaped twice", '{"a":"x\\ny"}'],
    ["it begins with other text", 'said {"a":"x\\\\y"}'],
    ["it is a number", "12"],
    ["it is broken", '{"a":"x\\\\y"'],
    ["it is nested absurdly deep", `${"[".repeat(300)}"x\\\\y"${"]".repeat(300)}`],
  ])("is left alone where %s", (_why, text) => {
    expect(readNestedJson(text)).toBeUndefined();
  });
});

describe("a secret in JSON inside JSON", () => {
  const secret = 'quo"te\\and\nline-secret';

  it.each([0, 1, 2, 3])("is masked and counted, written %i times more", (times) => {
    const redactor = createRedactor(new Map([["A", secret]]));
    const text = written({ first: secret, second: [secret, "other"] }, times);
    const { data, count } = redactor.data({ text });
    expect(count).toBe(2);
    const innermost = Array.from({ length: times + 1 }).reduce<unknown>(
      (read) => JSON.parse(String(read)),
      data.text,
    );
    expect(innermost).toEqual({ first: "[secret A]", second: ["[secret A]", "other"] });
  });

  /** As encoders write it that escape more than JSON must. */
  const escapedMore = {
    slashes: ["abc/def-0123456", String.raw`abc\/def-0123456`],
    "signs of HTML": ["abc<def>0123456", String.raw`abc\u003cdef\u003e0123456`],
    everything: ["abcd1234", String.raw`\u0061\u0062\u0063\u0064\u0031\u0032\u0033\u0034`],
  } as const;

  it.each(Object.entries(escapedMore))(
    "is masked up to four levels down where an encoder escapes %s",
    (_what, [value, escaped]) => {
      const redactor = createRedactor(new Map([["A", value]]));
      const wrapped = (inside: string, levels: number): string =>
        written(`{"key":"${inside}"}`, levels - 1);
      for (const levels of [1, 2, 3, 4]) {
        expect(redactor.text(wrapped(escaped, levels))).toBe(wrapped("[secret A]", levels));
      }
      expect(redactor.text(wrapped(escaped, 5))).toBe(wrapped(escaped, 5));
    },
  );

  it("leaves texts as they are that hold none", () => {
    const redactor = createRedactor(new Map([["A", secret]]));
    const text = `  ${written({ path: "C:\\x", list: [1, 2] }, 2)}`;
    expect(redactor.data({ text })).toEqual({ data: { text }, count: 0 });
    expect(createRedactor(new Map()).data({ text })).toEqual({ data: { text }, count: 0 });
  });
});

describe("a copy of data", () => {
  it("has numbers as they are where nothing maps them", () => {
    expect(mapStrings({ a: [1.5, "x"], b: -2 }, (text) => `${text}!`)).toEqual({
      "a!": [1.5, "x!"],
      "b!": -2,
    });
  });

  it("has a key __proto__ as one like any other", () => {
    const data: unknown = JSON.parse('{"__proto__":{"a":"x"},"b":"y"}');
    const copy = mapStrings(data, (text) => `${text}!`) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    const kept = mapStrings(data, (text) => text) as object;
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
    expect(Object.getOwnPropertyDescriptor(kept, "__proto__")).toEqual({
      value: { a: "x" },
      configurable: true,
      enumerable: true,
      writable: true,
    });
  });
});
