import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { callRequest, errorOf, resultOf, runRequest, textOf } from "../../support/run-request.ts";
import { occupy, readEvents } from "../../support/start-host.ts";

let host: FixtureHost;

beforeAll(async () => {
  host = await startFixtureHost({
    GANGWAY_HOST_STOP_GRACE_MS: "200",
    GANGWAY_HOST_MAX_PROCESSES: "100",
  });
});
afterAll(() => host.dispose());

describe("an answer above the limit", () => {
  const limits = { result_bytes: 100_000 };

  it("fails its own call and no other, and the process goes on", async () => {
    const request = { pool_key: "large", limits };
    const pid = textOf(await host.run(callRequest("flood", "pid", {}, request)));
    const [large, small] = await Promise.all([
      host.run(callRequest("flood", "big", { bytes: 200_000 }, request)),
      host.run(callRequest("flood", "big", { bytes: 50_000 }, request)),
    ]);
    expect(errorOf(large)).toMatchObject({
      code: "RESPONSE_TOO_LARGE",
      executed: "maybe",
      details: { limit_bytes: 100_000 },
    });
    expect(textOf(small)).toHaveLength(50_000);
    expect(textOf(await host.run(callRequest("flood", "pid", {}, request)))).toBe(pid);
  });

  it("is dropped in silence when it is a notification", async () => {
    const events = await host.run(
      callRequest("flood", "big-notification", { bytes: 200_000 }, { limits }),
    );
    expect(textOf(events)).toBe("done");
  });

  it("fails all calls in flight when nobody can tell whose it is", async () => {
    const request = { pool_key: "large-unknown", limits };
    await host.run(callRequest("flood", "pid", {}, request));
    const hanging = await occupy(host, callRequest("flood", "hang", {}, request));
    const unknown = await host.run(
      callRequest("flood", "big-without-id", { bytes: 200_000 }, request),
    );
    expect(errorOf(unknown)).toMatchObject({ code: "RESPONSE_TOO_LARGE", executed: "maybe" });
    expect(errorOf(await readEvents(hanging))).toMatchObject({
      code: "RESPONSE_TOO_LARGE",
      executed: "maybe",
    });
  });

  it("ends the process when it has no end, and the next call gets a new one", async () => {
    const request = { pool_key: "endless", limits };
    expect(errorOf(await host.run(callRequest("flood", "flood", {}, request)))).toMatchObject({
      code: "RESPONSE_TOO_LARGE",
      executed: "maybe",
    });
    expect(resultOf(await host.run(callRequest("flood", "pid", {}, request))).session.warm).toBe(
      false,
    );
  });
});

describe("an encoding other than UTF-8", () => {
  it("is read by its Python name, and written as ASCII that every encoding reads", async () => {
    const events = await host.run(
      callRequest("latin-1", "echo", { value: "Grüße ÿ" }, { launch: { encoding: "latin_1" } }),
    );
    expect(textOf(events)).toBe("Grüße ÿ");
  });

  it("fails the calls in flight when it is not what the config says, naming the label", async () => {
    const request = { pool_key: "undecodable" };
    await host.run(runRequest("latin-1", request));
    const hanging = await occupy(host, callRequest("latin-1", "hang", {}, request));
    const error = errorOf(
      await host.run(callRequest("latin-1", "echo", { value: "Grüße" }, request)),
    );
    expect(error).toMatchObject({
      code: "RESPONSE_INVALID",
      executed: "maybe",
      details: { encoding: "utf-8" },
    });
    expect(error.message).toContain("utf-8");
    expect(errorOf(await readEvents(hanging))).toMatchObject({ code: "RESPONSE_INVALID" });
  });

  it.each([
    ["utf-16", "le"],
    ["utf-16-le", "le"],
    ["utf_16_be", "be"],
  ])("may be %s, both ways", async (encoding, order) => {
    const launch = { encoding, args: [order] };
    const request = { pool_key: encoding, launch };
    const value = "Grüße, 漢字 🙂";
    expect(textOf(await host.run(callRequest("wide", "echo", { value }, request)))).toBe(value);
    const hanging = await occupy(host, callRequest("wide", "hang", {}, request));
    const half = errorOf(await host.run(callRequest("wide", "half", {}, request)));
    expect(half).toMatchObject({
      code: "RESPONSE_INVALID",
      executed: "maybe",
      details: { encoding },
    });
    expect(half.message).toContain(encoding);
    expect(errorOf(await readEvents(hanging))).toMatchObject({ code: "RESPONSE_INVALID" });
    expect(textOf(await host.run(callRequest("wide", "echo", { value }, request)))).toBe(value);
  });

  it("is refused when no table row has it", async () => {
    expect(
      errorOf(await host.run(runRequest("echo", { launch: { encoding: "klingon" } }))),
    ).toMatchObject({ code: "CONFIG_INVALID", executed: "no" });
  });
});
