import { describe, expect, it } from "vitest";
import { importsOf, wallBreaches } from "../support/import-walls.ts";
import { sourceFiles } from "../support/source-files.ts";

const files = sourceFiles("{shared,functions,cli,infra}/**/*.{ts,mjs}");

describe("import walls", () => {
  it.each(["shared", "functions/edge", "functions/host", "infra"])(
    "sees the files of %s",
    (part) => {
      const own = files.filter(({ path }) => path.startsWith(`${part}/`));
      expect(own.length).toBeGreaterThan(0);
      expect(own.flatMap(({ text }) => importsOf(text)).length).toBeGreaterThan(own.length / 2);
    },
  );

  it("stand: shared imports nothing above it, and the functions know each other through it alone", () => {
    expect(wallBreaches(files)).toEqual([]);
  });

  it.each([
    ["shared/mcp/a.ts", 'import { x } from "../../functions/host/log.ts";'],
    ["shared/mcp/a.ts", 'import type { x } from "../../infra/start.ts";'],
    ["shared/mcp/a.ts", 'import { readFile } from "node:fs/promises";'],
    ["shared/mcp/a.ts", 'export { env } from "cloudflare:workers";'],
    ["shared/mcp/a.ts", 'import "node:fs";'],
    ["shared/mcp/a.ts", 'const fs = await import("node:fs");'],
    ["shared/mcp/a.ts", 'import {\n  a,\n  b,\n} from "../../cli/main.ts";'],
    ["functions/edge/a.ts", 'import { x } from "../host/log.ts";'],
    ["functions/edge/operation/a.ts", 'import type { x } from "../../runner/worker.ts";'],
    ["functions/host/a.ts", 'import { x } from "../edge/app.ts";'],
    ["functions/runner/a.ts", 'import { x } from "../host/main.ts";'],
    ["cli/a.ts", 'import { x } from "../functions/edge/app.ts";'],
    ["infra/a.ts", 'import { x } from "../functions/host/settings.ts";'],
    ["functions/edge/a.ts", 'import { x } from "../../test/support/gangway.ts";'],
  ])("find a planted breach in %s: %s", (path, text) => {
    expect(wallBreaches([{ path, text }])).toHaveLength(1);
  });

  it.each([
    ["functions/edge/a.ts", 'import { x } from "../../shared/run-contract/ticket.ts";'],
    ["functions/edge/a.ts", 'import { env } from "cloudflare:workers";'],
    ["functions/host/process/a.ts", 'import { x } from "../log.ts";'],
    ["shared/mcp/a.ts", 'import * as z from "zod";'],
    ["infra/start/a.ts", 'import { x } from "../../shared/config/read-config.ts";'],
  ])("let %s pass: %s", (path, text) => {
    expect(wallBreaches([{ path, text }])).toEqual([]);
  });
});
