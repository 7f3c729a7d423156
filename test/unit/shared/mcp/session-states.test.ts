import { describe, expect, it } from "vitest";
import {
  nextState,
  type SessionEvent,
  sessionEvents,
  sessionStates,
} from "../../../../shared/mcp/session-states.ts";
import type { SessionState } from "../../../../shared/mcp/session-types.ts";

const states: readonly SessionState[] = [
  "CREATED",
  "CONNECTING",
  "CONNECTED",
  "DISCONNECTED",
  "ERROR",
];

/** Every transition that changes the state; all other events leave it. */
const transitions: readonly (readonly [SessionState, SessionEvent, SessionState])[] = [
  ["CREATED", "connect", "CONNECTING"],
  ["CREATED", "fail", "ERROR"],
  ["CREATED", "disconnect", "DISCONNECTED"],
  ["CONNECTING", "connected", "CONNECTED"],
  ["CONNECTING", "fail", "ERROR"],
  ["CONNECTING", "disconnect", "DISCONNECTED"],
  ["CONNECTED", "fail", "ERROR"],
  ["CONNECTED", "disconnect", "DISCONNECTED"],
];

const table = states.flatMap((state) =>
  sessionEvents.map((event) => {
    const change = transitions.find(([from, on]) => from === state && on === event);
    return [state, event, change?.[2] ?? state] as const;
  }),
);

describe("the table of session states", () => {
  it("has a row for every state and no other", () => {
    expect(Object.keys(sessionStates).toSorted()).toEqual(states.toSorted());
    expect(table).toHaveLength(25);
  });

  it.each(table)("goes from %s on %s to %s", (state, event, next) => {
    expect(nextState(state, event)).toBe(next);
  });

  it.each([
    ["CREATED", "connect"],
    ["CONNECTING", "wait"],
    ["CONNECTED", "send"],
    ["DISCONNECTED", "refuse"],
    ["ERROR", "refuse"],
  ] as const)("has an operation in %s %s", (state, start) => {
    expect(sessionStates[state].operation).toBe(start);
  });
});
