import type { SessionState } from "./session-types.ts";

/** What can happen to a session. `fail`: connecting failed, or the transport ended by itself. */
export const sessionEvents = [
  "connect",
  "connected",
  "list_changed",
  "fail",
  "disconnect",
] as const;
export type SessionEvent = (typeof sessionEvents)[number];

/** What an operation does when it finds the session in a state. */
export type OperationStart = "connect" | "wait" | "send" | "refuse";

interface StateRow {
  /** The next state for each event; an event without meaning in a state leaves it as it is. */
  readonly on: Readonly<Record<SessionEvent, SessionState>>;
  readonly operation: OperationStart;
}

/** Every state × every event. DISCONNECTED and ERROR are terminal: recovery is a new session. */
export const sessionStates: Readonly<Record<SessionState, StateRow>> = {
  CREATED: {
    on: {
      connect: "CONNECTING",
      connected: "CREATED",
      list_changed: "CREATED",
      fail: "ERROR",
      disconnect: "DISCONNECTED",
    },
    operation: "connect",
  },
  CONNECTING: {
    on: {
      connect: "CONNECTING",
      connected: "CONNECTED",
      list_changed: "CONNECTING",
      fail: "ERROR",
      disconnect: "DISCONNECTED",
    },
    operation: "wait",
  },
  CONNECTED: {
    on: {
      connect: "CONNECTED",
      connected: "CONNECTED",
      list_changed: "CONNECTED",
      fail: "ERROR",
      disconnect: "DISCONNECTED",
    },
    operation: "send",
  },
  DISCONNECTED: terminal("DISCONNECTED"),
  ERROR: terminal("ERROR"),
};

/** The state after `event`. */
export function nextState(state: SessionState, event: SessionEvent): SessionState {
  return sessionStates[state].on[event];
}

function terminal(state: SessionState): StateRow {
  return {
    on: { connect: state, connected: state, list_changed: state, fail: state, disconnect: state },
    operation: "refuse",
  };
}
