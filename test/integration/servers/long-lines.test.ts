import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { callRequest, errorOf, textOf } from "../../support/run-request.ts";

const mebibyte = 1024 * 1024;

let host: FixtureHost;

beforeAll(async () => {
  host = await startFixtureHost();
});
afterAll(() => host.dispose());

/** The most memory that the host ever had, MiB. */
function peakMiB(): number {
  const status = readFileSync(`/proc/${host.pid}/status`, "utf8");
  return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1]) / 1024;
}

/** A long answer of a process, and another call of it at the same time. */
async function answersOf(limitMiB: number, other: "big" | "hang") {
  const limits = { call_ms: 90_000, handshake_ms: 60_000, result_bytes: limitMiB * mebibyte };
  const changes = { pool_key: `limit ${limitMiB}`, limits };
  const call = (tool: string, bytes = 0) =>
    host.run(callRequest("flood", tool, { bytes }, changes));
  const pid = textOf(await call("pid"));
  await call("big", (limitMiB - 1) * mebibyte);
  const before = peakMiB();
  const [long, beside] = await Promise.all([call("big", 100 * mebibyte), call(other)]);
  return { long, beside, grownMiB: peakMiB() - before, isSame: pid === textOf(await call("pid")) };
}

const tooLarge = (limitMiB: number) => ({
  code: "RESPONSE_TOO_LARGE",
  executed: "maybe",
  details: { limit_bytes: limitMiB * mebibyte },
});

describe("a line of 100 MB", { timeout: 240_000 }, () => {
  it("fails its own call, is never held as a whole, and its server goes on", async () => {
    const answers = await answersOf(16, "big");
    expect(errorOf(answers.long)).toMatchObject(tooLarge(16));
    expect(textOf(answers.beside)).toBe("");
    expect(answers).toMatchObject({ isSame: true });
    expect(answers.grownMiB).toBeLessThan(80);
  });

  it("is not waited for where it is far above the limit: all calls fail, and the next gets a new process", async () => {
    const answers = await answersOf(4, "hang");
    expect(errorOf(answers.long)).toMatchObject(tooLarge(4));
    expect(errorOf(answers.beside)).toMatchObject(tooLarge(4));
    expect(answers).toMatchObject({ isSame: false });
    expect(answers.grownMiB).toBeLessThan(80);
  });
});
