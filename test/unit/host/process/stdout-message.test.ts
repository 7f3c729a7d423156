import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readStdoutLine } from "../../../../functions/host/process/stdout-message.ts";

describe("readStdoutLine", () => {
  it("takes a JSON-RPC message, with blanks around it", () => {
    expect(readStdoutLine(' {"jsonrpc":"2.0","method":"a"}\r')).toEqual({
      kind: "messages",
      messages: [{ jsonrpc: "2.0", method: "a" }],
    });
  });

  it("takes a batch apart", () => {
    expect(readStdoutLine('[{"jsonrpc":"2.0","id":1},{"jsonrpc":"2.0","id":2}]')).toMatchObject({
      kind: "messages",
      messages: [{ id: 1 }, { id: 2 }],
    });
  });

  it.each([
    "Listening on stdio",
    '{"level":30,"msg":"a log line"}',
    "[]",
    "[1]",
    "{",
    "12",
    "null",
    '{"jsonrpc":"1.0"}x',
  ])("takes %j for noise", (line) => {
    expect(readStdoutLine(line).kind).toBe("noise");
  });

  it("reads batches of up to a thousand messages, and tells of longer ones", () => {
    const batch = (length: number) =>
      JSON.stringify(Array.from({ length }, () => ({ jsonrpc: "2.0", method: "a" })));
    expect(readStdoutLine(batch(1000))).toMatchObject({ kind: "messages" });
    expect(readStdoutLine(batch(1001))).toEqual({ kind: "batch-too-long", length: 1001 });
  });

  it("takes a long list that holds no messages for noise", () => {
    const list = JSON.stringify(Array.from({ length: 5000 }, (_, index) => index));
    expect(readStdoutLine(list).kind).toBe("noise");
  });

  it("marks noise that may hold a piece of an answer", () => {
    expect(readStdoutLine('{"jsonrpc":"2.0","id":1,"result":{"sec')).toEqual({
      kind: "noise",
      looksLikeProtocol: true,
    });
  });

  it("throws on no line whatever", () => {
    fc.assert(fc.property(fc.string(), (line) => void readStdoutLine(line)));
  });
});
