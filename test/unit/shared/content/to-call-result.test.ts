import { describe, expect, it } from "vitest";
import { callResultSchema } from "../../../../shared/api/call-result-schema.ts";
import type { CallMetadata } from "../../../../shared/content/call-result.ts";
import { toCallResult } from "../../../../shared/content/to-call-result.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

const metadata: CallMetadata = {
  request_id: "r1",
  server: "everything",
  tool: "echo",
  source: "tenant",
  transport: "stdio",
  protocol_version: "2025-11-25",
  era: "legacy",
  duration_ms: 12,
  timings_ms: { open: 8, run: 4 },
  upstream_requests: 0,
  warm: true,
  session: null,
  masked: 0,
  truncated: [],
  warnings: [],
};

const hello = { type: "text", text: "hello" };

describe("toCallResult", () => {
  it("answers a plain result with status ok", () => {
    expect(toCallResult({ content: [hello] }, metadata)).toEqual({
      success: true,
      status: "ok",
      content: [hello],
      metadata,
    });
  });

  it.each([
    ["no content", {}],
    ["null as content", { content: null }],
    ["an empty content list", { content: [] }],
    ["isError false", { content: [], isError: false }],
  ])("takes %s as success with an empty list", (_, raw) => {
    expect(toCallResult(raw, metadata)).toMatchObject({ success: true, status: "ok", content: [] });
  });

  it.each([
    ["an object", { temperature: 22.5, list: [] }],
    ["a list", [1, 2]],
    ["null", null],
    ["a number", 0],
  ])("keeps structured content that is %s beside the blocks (case 40)", (_, structuredContent) => {
    const result = toCallResult({ content: [hello], structuredContent }, metadata);
    expect(result).toMatchObject({ content: [hello], structured_content: structuredContent });
  });

  it("has no structured_content where the server sent none", () => {
    expect(toCallResult({ content: [] }, metadata)).not.toHaveProperty("structured_content");
  });

  it("answers isError as a tool error and keeps all content (case 41)", () => {
    const raw = {
      isError: true,
      content: [
        { type: "image", data: "AAAA", mimeType: "image/png" },
        { type: "text", text: " disk full\n" },
      ],
      structuredContent: { errno: 28 },
    };
    expect(toCallResult(raw, metadata)).toEqual({
      success: false,
      status: "tool_error",
      content: [
        { type: "image", data: "AAAA", mime_type: "image/png" },
        { type: "text", text: " disk full\n" },
      ],
      structured_content: { errno: 28 },
      error: {
        type: "ToolError",
        code: "TOOL_ERROR",
        message: "disk full",
        hint: expect.any(String),
        server: "everything",
        retryable: false,
        executed: "yes",
        docs: "docs/reference/errors.md#tool_error",
      },
      metadata,
    });
  });

  it.each([
    ["without content", []],
    ["with blank text alone", [{ type: "text", text: " \n" }]],
    ["with media alone", [{ type: "image", data: "AAAA", mimeType: "image/png" }]],
  ])("gives a tool error %s a message of its own", (_, content) => {
    expect(toCallResult({ isError: true, content }, metadata).error?.message).toBe(
      "The tool reported an error without saying what went wrong.",
    );
  });

  it.each([
    ["a".repeat(500), "a".repeat(500)],
    ["a".repeat(501), `${"a".repeat(499)}…`],
    [`${"a".repeat(498)}😀😀`, `${"a".repeat(498)}…`],
  ])("shortens a long error text to 500 characters, whole ones", (text, message) => {
    const { error } = toCallResult({ isError: true, content: [{ type: "text", text }] }, metadata);
    expect(error?.message).toBe(message);
  });

  it("hands a request for input to the caller", () => {
    const inputRequests = { q: { method: "elicitation/create", params: { message: "Sure?" } } };
    expect(
      toCallResult({ resultType: "input_required", inputRequests, requestState: "s1" }, metadata),
    ).toEqual({
      success: false,
      status: "input_required",
      content: [],
      input_requests: inputRequests,
      request_state: "s1",
      metadata,
    });
  });

  it("gives the result's _meta as metadata.meta", () => {
    const result = toCallResult({ content: [], _meta: { "example.com/cost": 3 } }, metadata);
    expect(result.metadata.meta).toEqual({ "example.com/cost": 3 });
    expect(toCallResult({ content: [], _meta: {} }, metadata).metadata).not.toHaveProperty("meta");
  });

  it("adds its warnings and truncations to those that are known already", () => {
    const before = {
      ...metadata,
      warnings: [{ code: "FIELD_REPAIRED", message: "a" }],
      truncated: [{ pointer: "/x", original_bytes: 2, kept_bytes: 1 }],
    };
    const raw = { content: [{ type: "video" }, { type: "text", text: "a".repeat(4000) }] };
    const { warnings, truncated } = toCallResult(raw, before, 1024).metadata;
    expect(warnings.map(({ code }) => code)).toEqual(["FIELD_REPAIRED", "BLOCK_UNRECOGNIZED"]);
    expect(truncated.map(({ pointer }) => pointer)).toEqual(["/x", "/content/1/text"]);
  });

  it("limits a result to 1 MiB unless told otherwise (case 44)", () => {
    const raw = { content: [{ type: "text", text: "a".repeat(3 * 1024 * 1024) }] };
    const byDefault = toCallResult(raw, metadata);
    expect(JSON.stringify(byDefault.content)).toHaveLength(1024 * 1024);
    expect(toCallResult(raw, metadata, 4 * 1024 * 1024).metadata.truncated).toEqual([]);
  });

  it.each([
    ["one block outside a list", { content: hello }, hello],
    [
      "the toolResult of revision 2024-10-07",
      { toolResult: { a: 1 } },
      { type: "text", text: '{"a":1}', unrecognized: true },
    ],
    ["a bare string", { content: "hello" }, { type: "text", text: '"hello"', unrecognized: true }],
  ])("keeps %s and warns", (_, raw, block) => {
    const { content, metadata: told } = toCallResult(raw, metadata);
    expect(content).toEqual([block]);
    expect(told.warnings[0]?.code).toBe("CONTENT_NOT_A_LIST");
  });

  it("refuses a result that is nested too deep to be written as JSON", () => {
    const structuredContent: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    const act = (): unknown => toCallResult({ content: [], structuredContent }, metadata);
    expect(act).toThrow(GatewayError);
    expect(act).toThrow(expect.objectContaining({ code: "RESPONSE_INVALID", executed: "yes" }));
  });

  it("answers in the shape that the API's schema describes", () => {
    const raw = {
      isError: true,
      content: [hello, { type: "resource_link", uri: "x://1", name: "n" }, null],
      structuredContent: { a: 1 },
      _meta: { b: 2 },
    };
    const result = toCallResult(raw, metadata, 256);
    expect(callResultSchema.parse(result)).toEqual(result);
  });
});
