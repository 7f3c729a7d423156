import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  completionResultSchema,
  promptResultSchema,
  resourceResultSchema,
} from "../../../../shared/api/call-result-schema.ts";
import type { CompletionResult } from "../../../../shared/content/call-result.ts";
import { toCompletionResult } from "../../../../shared/content/to-completion-result.ts";
import { toPromptResult } from "../../../../shared/content/to-prompt-result.ts";
import { toResourceResult } from "../../../../shared/content/to-resource-result.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

const metadata: CompletionResult["metadata"] = {
  request_id: "r1",
  server: "s",
  source: "tenant",
  transport: "http",
  protocol_version: "2025-11-25",
  era: "legacy",
  duration_ms: 1,
  timings_ms: {},
  upstream_requests: 3,
  warm: false,
  session: null,
  masked: 0,
  truncated: [],
  warnings: [],
};
const prompt = (raw: Record<string, unknown>, maxBytes?: number) =>
  toPromptResult(raw, { ...metadata, prompt: "p" }, maxBytes);
const resource = (raw: Record<string, unknown>, maxBytes?: number) =>
  toResourceResult(raw, { ...metadata, uri: "file:///a" }, maxBytes);
const text = (value: string) => ({ type: "text", text: value });

describe("a prompt's result", () => {
  it("keeps roles, blocks and their order (case 40)", () => {
    const image = { type: "image", data: "aGk=", mimeType: "image/png" };
    const messages = [
      { role: "user", content: text("a") },
      { role: "assistant", content: image },
    ];
    expect(prompt({ description: "d", messages, _meta: { k: 1 } })).toEqual({
      success: true,
      status: "ok",
      description: "d",
      messages: [
        { role: "user", content: text("a") },
        { role: "assistant", content: { type: "image", data: "aGk=", mime_type: "image/png" } },
      ],
      metadata: { ...metadata, prompt: "p", meta: { k: 1 } },
    });
  });

  it("is cut from its end, its places told as they are in the answer (case 44)", () => {
    const messages = [1, 2].map(() => ({ role: "user", content: text("x".repeat(2_000)) }));
    const result = prompt({ description: "d".repeat(900), messages }, 2_048);
    expect(JSON.stringify([result.description, result.messages]).length).toBeLessThan(2_300);
    expect(result.metadata.truncated.map(({ pointer }) => pointer)).toEqual([
      "/messages/0/content/text",
      "/messages/1/content/text",
    ]);
    const long = prompt({ description: "d".repeat(9_000), messages: [] }, 1_024);
    expect(long.metadata.truncated).toMatchObject([{ pointer: "/description" }]);
  });

  it("names a message whose content is unknown", () => {
    const result = prompt({ messages: [{ role: "user", content: { type: "video" } }] });
    expect(result.messages[0]?.content).toMatchObject({ type: "text", unrecognized: true });
    expect(result.metadata.warnings[0]?.message).toMatch(/^messages\[0\]\.content is of/);
  });
});

describe("a resource's result", () => {
  it("has text in both forms and bytes in base64 (case 42)", () => {
    const contents = [
      { uri: "u:1", mimeType: "text/plain", text: "abc", _meta: { k: 1 } },
      { uri: "u:2", blob: "AAEC" },
    ];
    expect(resource({ contents }).content).toEqual([
      {
        type: "binary",
        uri: "u:1",
        mime_type: "text/plain",
        data: "YWJj",
        size: 3,
        text: "abc",
        resource_meta: { k: 1 },
      },
      { type: "binary", uri: "u:2", mime_type: null, data: "AAEC", size: 3 },
    ]);
  });

  it.each([[undefined], [null], ["abc"], [{}]])(
    "counts %j as empty, with a warning",
    (contents) => {
      expect(resource({ contents })).toMatchObject({
        success: true,
        content: [],
        metadata: { warnings: [{ code: "CONTENT_NOT_A_LIST" }] },
      });
    },
  );
});

describe("a completion's result", () => {
  it("keeps what is text, and tells of the rest", () => {
    const completion = { values: ["a", 5, "b"], total: 7, hasMore: true };
    expect(toCompletionResult({ completion }, metadata)).toMatchObject({
      completion: { values: ["a", "b"], total: 7, has_more: true },
      metadata: { warnings: [{ code: "FIELD_REPAIRED" }] },
    });
    expect(toCompletionResult({}, metadata).completion).toEqual({
      values: [],
      total: null,
      has_more: null,
    });
  });

  it("is cut from its end (case 44)", () => {
    const values = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(98, "-"));
    const { completion, metadata: told } = toCompletionResult(
      { completion: { values } },
      metadata,
      1_024,
    );
    expect(completion.values).toEqual(values.slice(0, 10));
    expect(told.truncated).toMatchObject([{ pointer: "/completion/values" }]);
  });
});

describe("a result of any kind", () => {
  it("may say that the server wants input", () => {
    const raw = { resultType: "input_required", inputRequests: { k: {} }, requestState: "s" };
    const expected = {
      success: false,
      status: "input_required",
      input_requests: { k: {} },
      request_state: "s",
    };
    expect(prompt(raw)).toMatchObject({ ...expected, messages: [] });
    expect(resource(raw)).toMatchObject({ ...expected, content: [] });
  });

  it("is refused where it is nested too deep to be written", () => {
    let deep: unknown = 1;
    for (let level = 0; level < 600; level += 1) deep = [deep];
    const raw = { messages: deep, contents: deep, completion: deep };
    for (const convert of [prompt, resource, (r: typeof raw) => toCompletionResult(r, metadata)]) {
      expect(() => convert(raw)).toThrow(GatewayError);
    }
  });

  it("fits its schema, whatever the server sends", () => {
    const members = fc.record(
      {
        messages: fc.jsonValue(),
        contents: fc.jsonValue(),
        completion: fc.oneof(fc.jsonValue(), fc.record({ values: fc.jsonValue() })),
        description: fc.jsonValue(),
        _meta: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(members, (members_) => {
        const raw = JSON.parse(JSON.stringify(members_)) as Record<string, unknown>;
        promptResultSchema.parse(prompt(raw));
        resourceResultSchema.parse(resource(raw));
        expect(completionResultSchema.safeParse(toCompletionResult(raw, metadata)).success).toBe(
          true,
        );
      }),
    );
  });
});
