import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { type Gangway, startGangway } from "../../support/gangway.ts";
import { fixturePackage, type NpmRegistry, startNpmRegistry } from "../../support/npm-registry.ts";
import { callRequest, errorOf, textOf } from "../../support/run-request.ts";
import { evilFiles, layTraps, type NpxRoute, npxRoutes } from "./npx-routes.ts";

let folder: string;
let registry: NpmRegistry;
let evilRegistry: NpmRegistry;
let gangway: Gangway;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-trap-"));
  await layTraps(folder);
  const evil = { name: "evil", version: "1.0.0", bin: "evil.cjs", files: evilFiles(folder) };
  const leans = fixturePackage("echo", { name: "leans", version: "1.0.0" });
  registry = await startNpmRegistry([
    fixturePackage("echo", { name: "good", version: "1.0.0" }),
    { ...leans, dependencies: { evil: "1.0.0" } },
    evil,
  ]);
  evilRegistry = await startNpmRegistry([{ ...evil, name: "good", version: "2.0.0" }]);
  gangway = await startGangway({
    registry: registry.url,
    // What a careless operator's account may hold reaches no launch.
    hostEnvironment: {
      HOME: join(folder, "home"),
      PATH: `${join(folder, "bin")}:${process.env["PATH"] ?? ""}`,
    },
  });
});
afterAll(async () => {
  await gangway?.close();
  await Promise.all([registry?.close(), evilRegistry?.close()]);
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => rm(join(folder, "sprung"), { force: true }));

const isSprung = () => existsSync(join(folder, "sprung"));
const placed = (text: string) =>
  text.replaceAll("DIR", folder).replaceAll("EVIL", evilRegistry.url);
const placedIn = <Value>(value: Value): Value => JSON.parse(placed(JSON.stringify(value))) as Value;

/** The package runner itself, on the same line. */
async function runNpx({ args, env = {}, cwd = "empty" }: NpxRoute): Promise<void> {
  const surroundings = {
    PATH: process.env["PATH"] ?? "",
    HOME: join(folder, "empty"),
    npm_config_registry: registry.url,
    npm_config_cache: join(folder, "cache"),
    npm_config_update_notifier: "false",
    npm_config_fetch_retries: "0",
  };
  const options = {
    cwd: join(folder, cwd),
    env: { ...surroundings, ...placedIn(env) },
    timeout: 20_000,
  };
  const running = promisify(execFile)("npx", args.map(placed), options);
  running.child.stdin?.end();
  // How it ends is of no interest: what it has run on the way is.
  await running.catch(() => undefined);
}

describe.each(npxRoutes)("npx by $what", (route) => {
  it("springs the trap by itself", async () => {
    await runNpx(route);
    expect(isSprung()).toBe(true);
  });

  it("springs nothing as a submitted config", async () => {
    const { args, env } = placedIn({ args: route.args, env: route.env ?? {} });
    const config = { name: "a", type: "mcp", description: "d", command: "npx", args, env };
    const { body } = await gangway.post("/v1/tools/call", { config, tool: "pid" });
    // What stands where npx starts is no matter of the config: that line is honest, and works.
    const honest = route.cwd !== undefined;
    expect(body).toMatchObject(
      honest ? { success: true } : { error: { code: "LAUNCH_NOT_ALLOWED", executed: "no" } },
    );
    expect(isSprung()).toBe(false);
  });

  it("springs nothing at the host, under a ticket that is right", async () => {
    const launch: Partial<Launch> = { version: null, ...placedIn(route.launch) };
    const events = await gangway.host.run(
      callRequest(null, "pid", {}, { pool_key: route.what, launch }),
    );
    if (route.cwd === "project") expect(Number(textOf(events))).toBeGreaterThan(0);
    else expect(errorOf(events)).toMatchObject({ code: "LAUNCH_NOT_ALLOWED", executed: "no" });
    expect(isSprung()).toBe(false);
  });
});

describe("what follows the package", () => {
  it.each([
    ";touch DIR/sprung",
    "$(touch DIR/sprung)",
    "`touch DIR/sprung`",
    "-c",
    "|| touch DIR/sprung",
    "&touch DIR/sprung",
  ])("is the server's own, and no shell reads %s", async (arg) => {
    const args = ["-y", "good@1.0.0", placed(arg), placed("touch DIR/sprung")];
    const config = { name: "a", type: "mcp", description: "d", command: "npx", args };
    const { body } = await gangway.post("/v1/tools/call", { config, tool: "pid" });
    expect(body).toMatchObject({ success: true });
    expect(isSprung()).toBe(false);
  });
});
