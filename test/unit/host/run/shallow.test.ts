import { describe, expect, it } from "vitest";
import { shallow } from "../../../../functions/host/run/shallow.ts";
import { maxNesting } from "../../../../shared/content/nesting.ts";

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

const call = {
  server: "files",
  operation: { method: "tools/call", params: { name: "t", arguments: {} } },
} as const;
const list = { server: "files", operation: { method: "tools/list" } } as const;

describe("shallow", () => {
  it("answers what can be written again as it is", () => {
    const answer = { result: { structuredContent: nested(maxNesting - 1) }, warnings: [] };
    expect(shallow(answer, call)).toBe(answer);
  });

  it.each([maxNesting, 5000, 100_000])("refuses a result of %i levels and one", (levels) => {
    const answer = { result: { structuredContent: nested(levels) }, warnings: [] };
    expect(() => shallow(answer, call)).toThrow(
      expect.objectContaining({ code: "RESPONSE_INVALID", executed: "yes" }),
    );
  });

  it("leaves a definition that is too deep out of a list, and says so", () => {
    const fine = { name: "fine", inputSchema: nested(100) };
    const deep = { name: "deep", inputSchema: nested(5000) };
    const { result, warnings } = shallow({ result: { tools: [deep, fine] }, warnings: [] }, list);
    expect(result).toEqual({ tools: [fine] });
    expect(warnings).toMatchObject([{ code: "DEFINITION_TOO_DEEP" }]);
  });
});
