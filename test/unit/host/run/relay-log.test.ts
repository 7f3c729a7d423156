import { describe, expect, it } from "vitest";
import { relayLog } from "../../../../functions/host/run/relay-log.ts";
import type { RunEvent, RunRequest } from "../../../../shared/run-contract/contract.ts";

function relayed(
  level: RunRequest["log_level"],
  params: Record<string, unknown>,
  mayPass = true,
): RunEvent[] {
  const events: RunEvent[] = [];
  const relay = relayLog({
    level,
    redact: (text) => text.replace("hunter2", "***"),
    emit: (event) => events.push(event) > 0,
    mayPass: () => mayPass,
  });
  relay({ method: "notifications/message", params });
  return events;
}

describe("relayLog", () => {
  it("passes a record on, masked", () => {
    expect(relayed("info", { level: "error", logger: "a hunter2", data: ["hunter2"] })).toEqual([
      { event: "log", level: "error", logger: "a ***", data: ["***"] },
    ]);
  });

  it.each([
    ["debug", "debug", 1],
    ["info", "debug", 0],
    ["notice", "info", 0],
    ["notice", "notice", 1],
    ["emergency", "alert", 0],
    [null, "emergency", 0],
  ] as const)("at level %s a record of level %s makes %i events", (level, of, count) => {
    expect(relayed(level, { level: of, data: 1 })).toHaveLength(count);
  });

  it.each([{}, { level: "loud" }, { level: 7 }])(
    "drops %j, which has no level of the protocol",
    (params) => {
      expect(relayed("debug", params)).toEqual([]);
    },
  );

  it("drops what is above the rate", () => {
    expect(relayed("debug", { level: "error", data: 1 }, false)).toEqual([]);
  });
});
