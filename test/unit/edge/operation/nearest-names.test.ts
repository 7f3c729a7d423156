import { describe, expect, it } from "vitest";
import { nearestNames } from "../../../../functions/edge/operation/nearest-names.ts";

const names = ["echo", "get-sum", "get_env", "print_environment", "search", "search_nodes"];

describe("nearestNames", () => {
  it.each([
    ["ecoh", ["echo"]],
    ["getSum", ["get-sum"]],
    ["sum", ["get-sum"]],
    ["searchNode", ["search_nodes", "search"]],
    ["environment", ["print_environment"]],
    ["echo_message", ["echo"]],
    ["weather", []],
    ["", []],
  ])("of %s are %j", (word, expected) => {
    expect(nearestNames(word, names)).toEqual(expected);
  });

  it("are three at most", () => {
    expect(nearestNames("tool", ["tool1", "tool2", "tool3", "tool4", "my_tool"])).toHaveLength(3);
    expect(nearestNames("get", ["get_one", "get_two", "get_three", "get_four"])).toHaveLength(3);
  });
});
