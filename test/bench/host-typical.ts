import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDeployed } from "./deployed.ts";
import { gangwayCaller } from "./host-callers.ts";
import { quantile } from "./host-rounds.ts";

export interface TypicalMeasure {
  readonly call: string;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
}

interface TypicalCall {
  readonly server: "files" | "memory" | "everything";
  readonly tool: string;
  readonly arguments: Record<string, unknown>;
  /** Stands in the answer. */
  readonly expected: string;
}

/** Ten calls as agents make them, through edge and host, one after the other, `rounds` times. */
export async function measureTypicalCalls(rounds: number): Promise<readonly TypicalMeasure[]> {
  const folder = await mkdtemp(join(tmpdir(), "gangway-bench-files-"));
  await writeFiles(folder);
  const gangway = await startDeployed(servers(folder));
  try {
    const calls = typicalCalls(folder).map((call) => ({
      name: `${call.server}: ${call.tool}`,
      run: gangwayCaller(gangway, call.server, call),
      times: [] as number[],
    }));
    for (const { run } of calls) await run(); // Installs and starts the servers.
    for (let round = 0; round < rounds; round += 1)
      for (const { run, times } of calls) times.push(await timed(run));
    return calls.map(({ name: call, times }) => ({
      call,
      p50: quantile(times, 0.5),
      p95: quantile(times, 0.95),
      longest: Math.max(...times),
    }));
  } finally {
    await gangway.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function timed(run: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

const page = "One line of a page.\n".repeat(200);

/** A host that root started runs its servers under users of their own. */
async function writeFiles(folder: string): Promise<void> {
  for (const part of ["docs", "docs/guide", "src"]) await mkdir(join(folder, part));
  for (const part of ["", "docs", "docs/guide", "src"]) await chmod(join(folder, part), 0o777);
  for (let file = 0; file < 20; file += 1)
    await writeFile(join(folder, "docs/guide", `page-${file}.md`), page);
}

function servers(folder: string) {
  const stdio = { type: "mcp", description: "A server of the benchmark.", command: "npx" };
  const official = (name: string) => `@modelcontextprotocol/server-${name}@2026.8.31`;
  return [
    { ...stdio, name: "files", args: ["-y", official("filesystem"), folder] },
    {
      ...stdio,
      name: "memory",
      args: ["-y", official("memory")],
      env: { MEMORY_FILE_PATH: join(folder, "memory.json") },
    },
    { ...stdio, name: "everything", args: ["-y", official("everything")] },
  ];
}

function typicalCalls(folder: string): readonly TypicalCall[] {
  const files = (tool: string, args: Record<string, unknown>, expected: string): TypicalCall => ({
    server: "files",
    tool,
    arguments: args,
    expected,
  });
  const memory = (tool: string, args: Record<string, unknown>, expected = "Ada"): TypicalCall => ({
    server: "memory",
    tool,
    arguments: args,
    expected,
  });
  const entity = { name: "Ada", entityType: "person", observations: ["writes programs"] };
  const guide = join(folder, "docs/guide");
  return [
    files("read_text_file", { path: join(guide, "page-7.md") }, "One line of a page."),
    files("list_directory", { path: guide }, "page-19.md"),
    files("directory_tree", { path: folder }, "page-19.md"),
    files("search_files", { path: folder, pattern: "**/page-1*.md" }, "page-11.md"),
    files("get_file_info", { path: join(guide, "page-3.md") }, "size"),
    files("write_file", { path: join(folder, "src/new.txt"), content: page }, "Successfully"),
    memory("create_entities", { entities: [entity] }, "text"), // Known from the second time on.
    memory("read_graph", {}),
    memory("search_nodes", { query: "programs" }),
    {
      server: "everything",
      tool: "get-sum",
      arguments: { a: 2, b: 40 },
      expected: "42",
    },
  ];
}
