import { describe, expect, it } from "vitest";
import { readResult } from "../../../../shared/mcp/read-result.ts";
import type { OperationResult } from "../../../../shared/mcp/session-types.ts";

function read(method: string, result: unknown, modern = false): OperationResult {
  const outcome = readResult(method, result, modern);
  expect(outcome.ok).toBe(true);
  return outcome.ok ? outcome.value : { result: {}, warnings: [] };
}

const codes = ({ warnings }: OperationResult): string[] => warnings.map(({ code }) => code);

describe("readResult of tools/call", () => {
  it.each([{ a: 1 }, [1, 2], "x", 0, false, null])(
    "keeps structuredContent %j",
    (structuredContent) => {
      const { result } = read("tools/call", { content: [], structuredContent });
      expect(result).toEqual({ content: [], structuredContent });
    },
  );

  it.each([
    ["tools/call", "content"],
    ["prompts/get", "messages"],
    ["resources/read", "contents"],
  ])("of %s reads ten thousand entries at most, and tells of a hundred slips", (method, member) => {
    const { result, warnings } = read(method, {
      [member]: Array.from({ length: 50_000 }, () => 0),
    });
    expect(result[member]).toHaveLength(10_000);
    expect(warnings[0]).toEqual({
      code: "CONTENT_TOO_LONG",
      message: `${member} holds more than 10000 entries; 40000 are left out.`,
    });
    if (method === "resources/read") return;
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toEqual({
      code: "WARNINGS_LEFT_OUT",
      message: "9901 further warnings are left out.",
    });
    expect(JSON.stringify(warnings).length).toBeLessThan(20_000);
  });

  it("keeps members that it does not know, and _meta", () => {
    const whole = { content: [], vendor: { x: 1 }, _meta: { "a/b": [1] }, isError: false };
    expect(read("tools/call", whole)).toEqual({ result: whole, warnings: [] });
  });

  it("takes a result without content as empty", () => {
    expect(read("tools/call", {})).toEqual({ result: { content: [] }, warnings: [] });
  });

  it("reads the toolResult of the first revision as content", () => {
    const { result } = read("tools/call", { toolResult: { n: 1 } });
    expect(result["content"]).toEqual([{ type: "text", text: '{"n":1}' }]);
  });

  it.each(["true", 1, {}])("counts isError %j as a failure, and says so (case 41)", (isError) => {
    const answer = read("tools/call", { content: [], isError });
    expect(answer.result["isError"]).toBe(true);
    expect(codes(answer)).toEqual(["FIELD_REPAIRED"]);
  });

  it("leaves a _meta out that is no object", () => {
    const answer = read("tools/call", { content: [], _meta: "x" });
    expect(answer.result).toEqual({ content: [] });
    expect(codes(answer)).toEqual(["FIELD_REPAIRED"]);
  });

  it.each([7, "x", null, [], undefined])("refuses the result %j", (result) => {
    expect(readResult("tools/call", result, false)).toMatchObject({ ok: false });
  });
});

describe("readResult of revision 2026-07-28", () => {
  it("takes a result without a type as complete, and says so", () => {
    const answer = read("tools/call", { content: [] }, true);
    expect(codes(answer)).toEqual(["FIELD_REPAIRED"]);
  });

  it("hands a request for input on untouched", () => {
    const asking = { resultType: "input_required", inputRequests: { a: {} }, requestState: "s" };
    expect(read("tools/call", asking, true)).toEqual({ result: asking, warnings: [] });
  });

  it.each(["task", 7])("refuses the type %j, which nobody asked for", (resultType) => {
    const outcome = readResult("tools/call", { resultType, content: [] }, true);
    expect(outcome).toMatchObject({
      ok: false,
      reason: expect.stringContaining(String(resultType)),
    });
  });
});

describe("readResult of prompts/get", () => {
  it("keeps every message, unreadable ones as flagged text", () => {
    const good = { role: "assistant", content: { type: "text", text: "a" } };
    const messages = [
      good,
      { role: "system", content: {} },
      { role: "user", content: { type: "?" } },
    ];
    const answer = read("prompts/get", { description: "d", messages });
    expect(answer.result).toMatchObject({
      description: "d",
      messages: [
        good,
        { role: "user", content: { type: "text", text: JSON.stringify(messages[1]) } },
        { role: "user", content: { type: "text", text: '{"type":"?"}' } },
      ],
    });
    expect(codes(answer)).toEqual(["BLOCK_UNRECOGNIZED", "BLOCK_UNRECOGNIZED"]);
  });

  it("takes missing messages as none, and says so", () => {
    expect(codes(read("prompts/get", {}))).toEqual(["FIELD_REPAIRED"]);
  });
});

it("does not look into the result of another method", () => {
  const result = { contents: [{ odd: true }], content: 7 };
  expect(read("resources/read", result).result).toEqual(result);
});
