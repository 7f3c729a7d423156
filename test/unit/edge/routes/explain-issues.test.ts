import { describe, expect, it } from "vitest";
import type * as z from "zod";
import { explainIssues } from "../../../../functions/edge/routes/explain-issues.ts";
import { validateRequestSchema } from "../../../../shared/api/file-requests.ts";
import { listRequestSchema } from "../../../../shared/api/list-requests.ts";
import {
  completionRequestSchema,
  promptRequestSchema,
  severalCallsSchema,
  singleCallSchema,
} from "../../../../shared/api/requests.ts";

function explained(schema: z.ZodType, body: unknown): [string, string][] {
  const read = schema.safeParse(body);
  const issues = read.success ? [] : explainIssues(read.error.issues, body, schema);
  return issues.map(({ pointer, message }) => [pointer, message]);
}

const call = singleCallSchema;

describe("the issues of a request's body", () => {
  it.each<[string, z.ZodType, unknown, [string, string][]]>([
    [
      "args",
      call,
      { tool: "t", args: {} },
      [["/args", "unknown field; did you mean 'arguments'?"]],
    ],
    [
      "name",
      call,
      { name: "t" },
      [
        ["/name", "unknown field; did you mean 'tool'?"],
        ["/tool", "is required"],
      ],
    ],
    [
      "a prompt's name",
      promptRequestSchema,
      { name: "t" },
      [
        ["/name", "unknown field; did you mean 'prompt'?"],
        ["/prompt", "is required"],
      ],
    ],
    [
      "timeout",
      call,
      { tool: "t", options: { timeout: 3 } },
      [["/options/timeout", "unknown field; did you mean 'timeout_s'?"]],
    ],
    [
      "an option beside the options",
      call,
      { tool: "t", timeout_s: 3 },
      [["/timeout_s", "unknown field; did you mean 'options.timeout_s'?"]],
    ],
    [
      "timeout beside the options",
      call,
      { tool: "t", timeout: 3 },
      [["/timeout", "unknown field; did you mean 'options.timeout_s'?"]],
    ],
    [
      "a slip of the pen",
      call,
      { tool: "t", argumnets: {} },
      [["/argumnets", "unknown field; did you mean 'arguments'?"]],
    ],
    ["nothing known", call, { tool: "t", "a/b~": 1 }, [["/a~1b~0", "unknown field"]]],
    [
      "a field of one of several calls",
      severalCallsSchema,
      { calls: [{ tool: "t" }, { tool: "t", args: {} }] },
      [["/calls/1/args", "unknown field; did you mean 'arguments'?"]],
    ],
    [
      "a config at the top",
      call,
      { tool: "t", mcpServers: {} },
      [["/mcpServers", "unknown field; did you mean 'config'?"]],
    ],
    [
      "text for an object",
      call,
      { tool: "t", arguments: "{}" },
      [["/arguments", "must be an object, got text"]],
    ],
    [
      "a list for an object",
      call,
      { tool: "t", arguments: [] },
      [["/arguments", "must be an object, got a list"]],
    ],
    ["null for text", call, { tool: null }, [["/tool", "must be text, got null"]]],
    [
      "a number for a switch",
      listRequestSchema,
      { options: { refresh: 1 } },
      [["/options/refresh", "must be true or false, got a number"]],
    ],
    ["an empty text", call, { tool: "" }, [["/tool", "must not be empty"]]],
    [
      "a number out of bounds",
      call,
      { tool: "t", options: { timeout_s: 301 } },
      [["/options/timeout_s", "must be at most 300"]],
    ],
    [
      "a number that is not positive",
      call,
      { tool: "t", options: { timeout_s: 0 } },
      [["/options/timeout_s", "must be more than 0"]],
    ],
    ["an empty list", severalCallsSchema, { calls: [] }, [["/calls", "must not be empty"]]],
    [
      "a choice",
      call,
      { tool: "t", options: { log_level: "loud" } },
      [["/options/log_level", expect.stringMatching(/^must be one of debug, info, /)]],
    ],
    [
      "no choice of a form",
      completionRequestSchema,
      { ref: { type: "x" }, argument: { name: "a", value: "" } },
      [["/ref/type", expect.stringMatching(/taken here$/)]],
    ],
    [
      "an unknown rule",
      validateRequestSchema,
      { files: [{ path: "a", text: "" }], options: { severities: { GW999: "off" } } },
      [["/options/severities/GW999", "There is no such rule."]],
    ],
    [
      "too many items",
      severalCallsSchema,
      { calls: Array.from({ length: 17 }, () => ({ tool: "t" })) },
      [["/calls", "must have at most 16 items"]],
    ],
    ["no object at all", call, [], [["", "must be an object, got a list"]]],
  ])("are told without a validator's words (%s)", (_, schema, body, expected) => {
    expect(explained(schema, body)).toEqual(expected);
  });

  it("begin with the unknown fields, which explain the others", () => {
    const issues = explained(call, { options: { session: 3 }, tol: "t" });
    expect(issues.map(([pointer]) => pointer)).toEqual(["/tol", "/options/session", "/tool"]);
  });
});
