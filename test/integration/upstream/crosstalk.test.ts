import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { McpSession } from "../../../shared/mcp/session.ts";
import { httpSession } from "./http-session.ts";
import { type RawFixture, startRawFixture } from "./raw-fixture.ts";

let raw: RawFixture;
beforeAll(async () => {
  raw = await startRawFixture();
});
afterAll(async () => raw.close());

interface Sent {
  readonly session: McpSession;
  readonly payload: { readonly canary: string; readonly ms: number; readonly stream: boolean };
}

/** Sends all calls at once and answers the canaries of those that got another's answer. */
async function misplaced(calls: readonly Sent[]): Promise<string[]> {
  const answers = await Promise.all(
    calls.map(async ({ session, payload }) => {
      const { result } = await session.callTool("known", { ...payload }, { timeoutMs: 20_000 });
      const [block] = result["content"] as { text: string }[];
      return block?.text;
    }),
  );
  return calls
    .filter(({ payload }, index) => answers[index] !== JSON.stringify(payload))
    .map(({ payload }) => payload.canary);
}

function callsOn(sessions: readonly McpSession[], count: number): Sent[] {
  return Array.from({ length: count }, (_, index) => {
    const session = sessions[index % sessions.length];
    if (session === undefined) throw new TypeError("no session");
    // Delays that put the answers in another order than the calls.
    const payload = { canary: `canary-${index}`, ms: (index * 37) % 200, stream: index % 3 === 0 };
    return { session, payload };
  });
}

describe.each(["legacy", "modern"] as const)(
  "200 calls in flight at a server of the %s era",
  (era) => {
    it("on one session each get their own answer (cases 1, 2)", async () => {
      await using open = httpSession(raw.at(era, "delayed"));
      expect(await misplaced(callsOn([open.session], 200))).toEqual([]);
    });

    it("on twenty sessions with equal request ids each get their own answer (cases 1, 4)", async () => {
      const url = raw.at(era, "delayed");
      const opened = Array.from({ length: 20 }, () => httpSession(url, { firstRequestId: 1 }));
      const sessions = opened.map(({ session }) => session);
      expect(await misplaced(callsOn(sessions, 200))).toEqual([]);
      await Promise.all(sessions.map((session) => session.disconnect()));
    });

    it("are checked by a check that finds a planted swap", async () => {
      await using open = httpSession(raw.at(era, "swap"));
      expect(await misplaced(callsOn([open.session], 2))).toEqual(["canary-0", "canary-1"]);
    });
  },
);
