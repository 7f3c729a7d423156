import { describe, expect, it } from "vitest";
import { readHandshake } from "../../../../shared/mcp/read-handshake.ts";

describe("readHandshake", () => {
  it("leaves a sound answer as it is", () => {
    const sound = {
      protocolVersion: "2025-11-25",
      capabilities: { tools: { listChanged: true }, experimental: { x: {} } },
      serverInfo: { name: "n", version: "1" },
      instructions: "i",
      _meta: {},
    };
    expect(readHandshake("initialize", sound)).toEqual(sound);
  });

  it("repairs the slips that would fail the handshake", () => {
    const slips = {
      protocolVersion: "2025-11-25",
      capabilities: {
        tools: true,
        prompts: null,
        logging: false,
        resources: { subscribe: "yes", listChanged: null },
      },
      serverInfo: { name: "n", version: null },
      instructions: null,
      _meta: "x",
    };
    expect(readHandshake("initialize", slips)).toEqual({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, resources: {} },
      serverInfo: { name: "n", version: "unknown" },
    });
  });

  it("gives an answer without server info and capabilities both", () => {
    expect(readHandshake("initialize", { protocolVersion: "v" })).toEqual({
      protocolVersion: "v",
      capabilities: {},
      serverInfo: { name: "unknown", version: "unknown" },
    });
  });

  it("does not make an answer to a probe out of something else", () => {
    expect(readHandshake("server/discover", { ok: true })).toEqual({ ok: true });
    expect(readHandshake("server/discover", 7)).toBe(7);
  });
});
