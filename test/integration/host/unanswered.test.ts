import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import {
  callRequest,
  errorOf,
  eventsNamed,
  resultOf,
  type RunChanges,
  textOf,
} from "../../support/run-request.ts";
import { occupy, readEvents } from "../../support/start-host.ts";

let host: FixtureHost;

beforeAll(async () => {
  host = await startFixtureHost({ GANGWAY_HOST_STOP_GRACE_MS: "200" });
});
afterAll(() => host.dispose());

/** A call of one owner on a process that several may share. */
const call = (pool_key: string, owner: string, tool: string, changes: RunChanges = {}) =>
  callRequest(
    "afterthought",
    tool,
    {},
    { pool_key, owner, log_level: "debug", client_capabilities: { elicitation: {} }, ...changes },
  );
const pid = async (pool_key: string, owner: string) =>
  textOf(await host.run(call(pool_key, owner, "pid")));

/** Has the server begun with a call that its caller then cancels. */
async function cancelOne(pool_key: string, owner: string): Promise<void> {
  const request = call(pool_key, owner, "work");
  const events = await occupy(host, request);
  await host.cancel(request.request_id);
  expect(errorOf(await readEvents(events))).toMatchObject({ code: "CANCELLED" });
}

describe("a server that goes on with a call which has ended for its caller", () => {
  it("tells nothing of it, and asks nothing for it, in another owner's call in flight", async () => {
    const waiting = await occupy(host, call("both", "bob", "wait"));
    await cancelOne("both", "alice");
    const told = await readEvents(waiting);
    expect(eventsNamed(told, "log")).toEqual([]);
    expect(textOf(told)).toBe('{"action":"cancel"}');
    expect(resultOf(told).warnings).toMatchObject([{ code: "QUESTION_REFUSED" }]);
  });

  it("serves no other owner from then on, and its own as before", async () => {
    const first = await pid("later", "alice");
    await cancelOne("later", "alice");
    expect(await pid("later", "alice")).toBe(first);
    const second = await pid("later", "bob");
    expect(second).not.toBe(first);
    expect(await pid("later", "alice")).toBe(second);
  });
});
