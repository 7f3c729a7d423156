import { chmod, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callRequest, resultOf, runRequest, textOf } from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";
import { whyNotIsolated } from "../../support/whether-isolated.ts";

const version = "2026.8.31";
const installWithinMs = 120_000;
let host: StartedHost;
let folder = "";

beforeAll(async () => {
  host = await startHost();
  folder = await realpath(await mkdtemp(join(tmpdir(), "gangway-files-")));
  await chmod(folder, 0o755); // Launches run under other user ids.
  await writeFile(join(folder, "note.txt"), "a note from the disk");
});
afterAll(async () => {
  await host.dispose();
  await rm(folder, { recursive: true, force: true });
});

const everything = {
  launch: { package: "@modelcontextprotocol/server-everything", version },
  limits: { install_ms: installWithinMs },
};

describe("server-everything from npm's default registry", () => {
  it(
    "lists all of its tools, echoes, and is warm at the second call",
    { timeout: 150_000 },
    async () => {
      const listed = resultOf(await host.run(runRequest(null, everything)));
      const names = (listed.result["tools"] as { name: string }[]).map(({ name }) => name);
      expect(names).toHaveLength(13);
      expect(names).toContain("echo");
      const echoed = await host.run(
        callRequest(null, "echo", { message: "Grüße 漢字" }, everything),
      );
      expect(textOf(echoed)).toContain("Grüße 漢字");
      expect(resultOf(echoed).session.warm).toBe(true);
    },
  );

  it(
    "shows to its get-env tool nothing of the host's environment",
    { timeout: 150_000 },
    async () => {
      const { env, ...launch } = { ...everything.launch, env: { ONLY: "mine" } };
      const events = await host.run(
        callRequest(null, "get-env", {}, { ...everything, launch: { ...launch, env } }),
      );
      expect(Object.keys(JSON.parse(textOf(events))).sort()).toEqual([
        "HOME",
        "LANG",
        "ONLY",
        "PATH",
        "TMPDIR",
      ]);
    },
  );
});

describe("server-filesystem from npm's default registry", () => {
  it("reads a file of the folder that its argument names", { timeout: 150_000 }, async () => {
    const filesystem = {
      launch: { package: "@modelcontextprotocol/server-filesystem", version, args: [folder] },
      limits: { install_ms: installWithinMs },
    };
    const events = await host.run(
      callRequest(null, "read_text_file", { path: join(folder, "note.txt") }, filesystem),
    );
    expect(textOf(events)).toBe("a note from the disk");
  });
});

describe.skipIf(whyNotIsolated() !== null)("server-memory from npm's default registry", () => {
  const entities = [{ name: "Grüße", entityType: "word", observations: ["kept"] }];
  const memory = (env: Record<string, string>) => ({
    pool_key: `acme/memory ${JSON.stringify(env)}`,
    launch: { package: "@modelcontextprotocol/server-memory", version, env },
    limits: { install_ms: installWithinMs },
  });

  it("cannot write beside its own code, and says so", { timeout: 150_000 }, async () => {
    const { result } = resultOf(
      await host.run(callRequest(null, "create_entities", { entities }, memory({}))),
    );
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result)).toMatch(/EACCES: permission denied, open .*memory\.jsonl/);
  });

  it("remembers in its working directory when told to", { timeout: 150_000 }, async () => {
    const told = memory({ MEMORY_FILE_PATH: "/proc/self/cwd/memory.jsonl" });
    await host.run(callRequest(null, "create_entities", { entities }, told));
    const graph = textOf(await host.run(callRequest(null, "read_graph", {}, told)));
    expect(JSON.parse(graph)).toMatchObject({ entities });
  });
});
