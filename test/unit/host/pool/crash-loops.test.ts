import { beforeEach, describe, expect, it } from "vitest";
import { CrashLoops } from "../../../../functions/host/pool/crash-loops.ts";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";

const exited = new GatewayError("PROCESS_EXITED", "The server's process exited with code 3.", {
  executed: "maybe",
  details: { exit_code: 3, stderr_tail: "no config" },
});
let now = 0;
let loops: CrashLoops;

beforeEach(() => {
  now = 1_000_000;
  loops = new CrashLoops(() => now);
});

function fail(key: string, times: number): void {
  for (let count = 0; count < times; count += 1) loops.failed(key, exited);
}

const refusal = (key: string): unknown => {
  try {
    loops.expectStartable(key);
    return null;
  } catch (error) {
    return error;
  }
};

describe("CrashLoops", () => {
  it("refuses starts with the last reason and when to call again", () => {
    fail("a", 4);
    expect(refusal("a")).toMatchObject({
      code: "PROCESS_START_FAILED",
      executed: "no",
      retryAfterS: 2,
      details: {
        exit_code: 3,
        stderr_tail: "no config",
        failures_in_a_row: 4,
        last_code: "PROCESS_EXITED",
      },
      message:
        "The server's process exited with code 3. It failed 4 times in a row, and is not started again for 2 s.",
    });
    expect(loops.openCount).toBe(1);
  });

  it("lets other keys start", () => {
    fail("a", 9);
    expect(refusal("b")).toBeNull();
  });

  it("lets one try after the wait, and forgets all when it works", () => {
    fail("a", 4);
    now += 2000;
    expect(refusal("a")).toBeNull();
    expect(loops.openCount).toBe(0);
    loops.worked("a");
    fail("a", 2);
    expect(refusal("a")).toBeNull();
  });

  it("waits twice as long when the try fails", () => {
    fail("a", 4);
    now += 2000;
    fail("a", 1);
    expect(refusal("a")).toMatchObject({ retryAfterS: 4 });
  });

  it("remembers a thousand keys, and those that failed last", () => {
    fail("first", 3);
    fail("kept", 3);
    for (let count = 0; count < 998; count += 1) fail(`key ${count}`, 1);
    fail("kept", 1);
    fail("one more", 1);
    expect(refusal("first")).toBeNull();
    expect(refusal("kept")).not.toBeNull();
  });
});
