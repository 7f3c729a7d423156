import { describe, expect, it } from "vitest";
import { type Env, readSettings } from "../../../functions/runner/settings.ts";

const good = {
  GANGWAY_HOST_TICKET_KEY: '{"kty":"OKP","crv":"Ed25519","x":"abc"}',
  GANGWAY_RUNNER_NAME_KEY: "k".repeat(32),
};
const read = (env: Record<string, unknown>) => readSettings(env as Env);

describe("the runner's settings", () => {
  it("hand the host's variables on, and no others", () => {
    const settings = read({ ...good, GANGWAY_HOST_IDLE_MS: "5", OTHER: "x", TENANT_HOSTS: {} });
    expect(settings).toMatchObject({
      internet: "all",
      hostVariables: {
        GANGWAY_HOST_TICKET_KEY: good.GANGWAY_HOST_TICKET_KEY,
        GANGWAY_HOST_IDLE_MS: "5",
      },
    });
    expect(JSON.stringify(settings)).not.toContain("OTHER");
  });

  it.each([
    ["no ticket key", { GANGWAY_HOST_TICKET_KEY: undefined }, "GANGWAY_HOST_TICKET_KEY"],
    ["a ticket key that is none", { GANGWAY_HOST_TICKET_KEY: "{}" }, "GANGWAY_HOST_TICKET_KEY"],
    [
      "the private ticket key, which hosts must not have",
      { GANGWAY_HOST_TICKET_KEY: '{"kty":"OKP","crv":"Ed25519","x":"abc","d":"def"}' },
      "GANGWAY_HOST_TICKET_KEY",
    ],
    ["a short name key", { GANGWAY_RUNNER_NAME_KEY: "short" }, "GANGWAY_RUNNER_NAME_KEY"],
    ["an unknown way out", { GANGWAY_RUNNER_INTERNET: "some" }, "GANGWAY_RUNNER_INTERNET"],
  ])("name what is wrong: %s", (_what, changes, name) => {
    expect(read({ ...good, ...changes })).toEqual({ wrong: [name] });
  });
});
