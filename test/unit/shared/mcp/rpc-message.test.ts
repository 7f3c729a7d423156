import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readRpcError, readRpcMessage } from "../../../../shared/mcp/rpc-message.ts";

describe("readRpcMessage", () => {
  it.each([
    [
      { jsonrpc: "2.0", id: 1, result: {} },
      { kind: "result", id: "1", result: {} },
    ],
    [
      { id: "a", result: 7 },
      { kind: "result", id: "a", result: 7 },
    ],
    [
      { jsonrpc: "2.0", id: 1, result: {}, error: null },
      { kind: "result", id: "1", result: {} },
    ],
    [
      { id: 1, result: null },
      { kind: "result", id: "1", result: null },
    ],
    [
      { jsonrpc: "2.0", id: 1, error: { code: -32000, message: "m" }, result: null },
      { kind: "error", id: "1", error: { code: -32000, message: "m" } },
    ],
    [{ error: { code: 1 } }, { kind: "error", id: null, error: { code: 1, message: "" } }],
    [
      { id: 2, method: "ping", params: null, extra: 1 },
      { kind: "request", message: { jsonrpc: "2.0", id: 2, method: "ping" } },
    ],
    [
      { method: "n", id: null, params: { a: 1, _meta: null } },
      { kind: "notification", message: { jsonrpc: "2.0", method: "n", params: { a: 1 } } },
    ],
    [{ id: 1 }, { kind: "result", id: "1", result: undefined }],
    [
      { id: "a", error: null },
      { kind: "result", id: "a", result: undefined },
    ],
  ])("reads %j", (value, expected) => {
    expect(readRpcMessage(value)).toEqual(expected);
  });

  it.each([null, 7, "x", [], {}, { result: {} }, { id: {}, method: "m" }, { id: {}, result: 1 }])(
    "finds no message in %j",
    (value) => {
      expect(readRpcMessage(value)).toMatchObject({ kind: "malformed" });
    },
  );

  it("reads anything without throwing", () => {
    fc.assert(fc.property(fc.anything(), (value) => void readRpcMessage(value)));
  });
});

describe("readRpcError", () => {
  it.each([
    [
      { code: -1, message: "m", data: { a: 1 } },
      { code: -1, message: "m", data: { a: 1 } },
    ],
    [
      { code: "x", message: 7, data: null },
      { code: -32603, message: "" },
    ],
    ["broken", { code: -32603, message: "broken" }],
    [{ code: 1.5 }, { code: -32603, message: "" }],
  ])("makes %j well-formed", (error, expected) => {
    expect(readRpcError(error)).toEqual(expected);
  });
});
