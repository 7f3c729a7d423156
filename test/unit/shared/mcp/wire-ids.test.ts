import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WireIds } from "../../../../shared/mcp/wire-ids.ts";

const call = (id: number | string, params?: Record<string, unknown>) =>
  ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    ...(params === undefined ? {} : { params }),
  }) as const;
const note = (method: string, params: Record<string, unknown>) =>
  ({ jsonrpc: "2.0", method, params }) as const;

describe("WireIds", () => {
  const ids = new WireIds(1_000);

  it("moves the id of a request and its progress token", () => {
    const params = { name: "a", _meta: { progressToken: 7, other: 1 } };
    expect(ids.toWire(call(7, params))).toEqual(
      call(1_007, { name: "a", _meta: { progressToken: 1_007, other: 1 } }),
    );
    expect(ids.toWire(call(0))).toEqual(call(1_000));
  });

  it("moves the id that a cancellation names", () => {
    const cancelled = note("notifications/cancelled", { requestId: 7, reason: "r" });
    const moved = note("notifications/cancelled", { requestId: 1_007, reason: "r" });
    expect(ids.toWire(cancelled)).toEqual(moved);
  });

  it.each([
    ["an answer to the server", { jsonrpc: "2.0", id: 3, result: {} } as const],
    ["another notification", note("notifications/initialized", { requestId: 3 })],
    ["an id that is text", call("seven")],
  ])("leaves %s as it is", (_, message) => {
    expect(ids.toWire(message)).toEqual(message);
  });

  it.each([1_007, "1007"])("gives progress on %s back its token", (progressToken) => {
    const progress = note("notifications/progress", { progressToken, progress: 1 });
    expect(ids.fromWire(progress)).toEqual(
      note("notifications/progress", { progressToken: 7, progress: 1 }),
    );
  });

  it.each([
    note("notifications/progress", { progressToken: 7 }),
    note("notifications/progress", { progressToken: "abc" }),
    note("notifications/message", { progressToken: 1_007 }),
    { jsonrpc: "2.0", method: "notifications/progress" },
  ])("leaves what is no progress of its own as it is", (message) => {
    expect(ids.fromWire(message)).toEqual(message);
  });

  it("keeps ids apart, in order and inside 32 bits", () => {
    const wireId = (of: WireIds, id: number) => (of.toWire(call(id)) as { id: number }).id;
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.nat(1_000_000), (a, b) => {
        const fresh = new WireIds();
        expect(wireId(fresh, a) - wireId(fresh, b)).toBe(a - b);
        expect(wireId(fresh, a)).toBeGreaterThan(0);
        expect(wireId(fresh, a)).toBeLessThan(2 ** 31);
      }),
    );
    const starts = new Set(Array.from({ length: 100 }, () => wireId(new WireIds(), 0)));
    expect(starts.size).toBeGreaterThan(95);
  });
});
