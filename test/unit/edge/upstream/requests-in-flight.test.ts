import { describe, expect, it } from "vitest";
import { RequestsInFlight } from "../../../../functions/edge/upstream/requests-in-flight.ts";

function withRequests(...ids: (string | number)[]): RequestsInFlight {
  const requests = new RequestsInFlight();
  for (const id of ids) requests.add(id);
  return requests;
}

const answerTo = (id: unknown) => ({ jsonrpc: "2.0", id, result: { n: 1 } });
const late = { kind: "late" };
const unusable = { kind: "unusable" };

describe("requests in flight", () => {
  it("give an answer the id that its request was sent with", () => {
    expect(withRequests(1, 2).receive(answerTo("2"))).toEqual({
      kind: "message",
      message: { jsonrpc: "2.0", id: 2, result: { n: 1 } },
    });
  });

  it("are answered once", () => {
    const requests = withRequests(1);
    expect(requests.receive(answerTo(1))).toMatchObject({ kind: "message" });
    expect(requests.receive(answerTo(1))).toEqual(late);
  });

  it("that were cancelled are answered late", () => {
    const requests = withRequests(1);
    expect(requests.remove(1)).toBe(true);
    expect(requests.remove(1)).toBe(false);
    expect(requests.receive(answerTo(1))).toEqual(late);
  });

  it.each([
    ["an answer to a request that was never sent", answerTo(4711)],
    ["a result without an id", { jsonrpc: "2.0", result: {} }],
    ["an object that is no message", { hello: "world" }],
    ["text", "hello"],
    ["null", null],
    ["a request with an id of no use", { jsonrpc: "2.0", id: {}, method: "ping" }],
  ])("tell %s as unusable", (_, value) => {
    expect(withRequests(1).receive(value)).toMatchObject(unusable);
  });

  it("take an error without an id as the answer of the only one, and of no one among several", () => {
    const error = { jsonrpc: "2.0", id: null, error: { code: -32700, message: "?" } };
    expect(withRequests("a").receive(error)).toMatchObject({ message: { id: "a" } });
    expect(withRequests("a", "b").receive(error)).toMatchObject(unusable);
    expect(withRequests().receive(error)).toMatchObject(unusable);
  });

  it("let the server's own messages pass", () => {
    const notification = { jsonrpc: "2.0", method: "notifications/message", params: {} };
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const requests = withRequests(1);
    expect(requests.receive(notification)).toMatchObject({ message: notification });
    expect(requests.receive(ping)).toMatchObject({ message: ping });
    expect(requests.removeAll()).toEqual([1]);
    expect(requests.removeAll()).toEqual([]);
  });
});
