import { describe, expect, it } from "vitest";
import { poolKey } from "../../../../functions/host/pool/pool-key.ts";
import { type RunChanges, runRequest } from "../../../support/run-request.ts";

const base: RunChanges = { pool_key: "key", launch: { env: { A: "1", B: "2" }, args: ["x", "y"] } };
const key = (changes: RunChanges = {}) =>
  poolKey(
    runRequest("echo", { ...base, ...changes, launch: { ...base.launch, ...changes.launch } }),
  );

describe("poolKey", () => {
  it("is one for runs that differ in nothing the process was started with", () => {
    expect(
      key({ log_level: "debug", limits: { call_ms: 1 }, operation: { method: "prompts/list" } }),
    ).toBe(key());
    expect(key({ launch: { env: { B: "2", A: "1" } } })).toBe(key());
  });

  it.each<[string, RunChanges]>([
    ["the edge's key", { pool_key: "other" }],
    ["the protocol", { protocol: "legacy" }],
    ["the package", { launch: { package: "other" } }],
    ["the version", { launch: { version: "2.0.0" } }],
    ["the program", { launch: { bin: "other" } }],
    ["an argument's border", { launch: { args: ["xy"] } }],
    ["an extra of the package", { launch: { extras: ["cli"] } }],
    ["how its package is installed", { launch: { install: { allow_scripts: true } } }],
    ["a volume", { launch: { volumes: [{ source: "/a", target: "/b", read_only: true }] } }],
    ["a variable", { launch: { env: { A: "1", B: "3" } } }],
    ["a secret", { launch: { secret_env: { TOKEN: "t" } } }],
    ["the encoding", { launch: { encoding: "latin-1" } }],
  ])("differs with %s", (_what, changes) => {
    expect(key(changes)).not.toBe(key());
  });
});
