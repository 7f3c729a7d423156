import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type FixtureHost, startFixtureHost } from "../../support/fixture-host.ts";
import { callRequest, errorOf, resultOf, runRequest, textOf } from "../../support/run-request.ts";

let host: FixtureHost;

beforeAll(async () => {
  host = await startFixtureHost();
});
afterAll(() => host.dispose());

describe("an answer that is nested too deep to be written again", () => {
  it.each([600, 5000, 100_000])(
    "of %i levels: the tool ran, and its call says so",
    async (depth) => {
      const error = errorOf(await host.run(callRequest("deep", "deep", { depth })));
      expect(error).toMatchObject({ code: "RESPONSE_INVALID", executed: "yes" });
      expect(textOf(await host.run(callRequest("deep", "fine")))).toBe("fine");
    },
  );

  it("as an error's data: the error is told", async () => {
    const error = errorOf(await host.run(callRequest("deep", "deep-error", { depth: 5000 })));
    expect(error).toMatchObject({ code: "SERVER_ERROR", executed: "maybe" });
  });

  it("in a list: that definition is left out", async () => {
    const { result, warnings } = resultOf(await host.run(runRequest("deep")));
    expect(result).toMatchObject({ tools: [{ name: "fine" }] });
    expect(warnings).toMatchObject([{ code: "DEFINITION_TOO_DEEP" }]);
  });
});
