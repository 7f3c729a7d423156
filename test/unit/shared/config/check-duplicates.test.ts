import { describe, expect, it } from "vitest";
import { readConfig } from "../../../../shared/config/read-config.ts";

function entry(name: string, registry: string | null): string {
  const more = registry === null ? "" : `, registry_name: ${registry}`;
  return `  - {name: ${name}, type: mcp, description: d, command: npx, args: [-y, p@1.0.0]${more}}\n`;
}

function read(...entries: readonly string[]) {
  return readConfig({ text: `tools:\n${entries.join("")}` });
}

describe("duplicates", () => {
  it("of a registry server are refused, whatever their names", () => {
    const { findings } = read(entry("a", "io.x/s"), entry("b", "io.x/s"));
    expect(findings.map(({ id, message }) => [id, message])).toEqual([
      ["GW502", "Server 'io.x/s' is already configured."],
    ]);
  });

  it("of one short name from two registry servers get the contract's warning", () => {
    const { findings } = read(
      entry("filesystem", "io.github.alice/filesystem"),
      entry("filesystem", "io.github.bob/filesystem"),
    );
    expect(findings.map(({ message }) => message)).toContain(
      "⚠️  Warning: Server 'filesystem' (io.github.bob/filesystem) has the same short name as existing server (io.github.alice/filesystem). Consider using --name to specify a unique name.",
    );
  });

  it("of a registry server and one written by hand leave the latter, in any order", () => {
    for (const list of [
      [entry("a", "io.x/s"), entry("a", null)],
      [entry("a", null), entry("a", "io.x/s")],
    ]) {
      const { servers, findings } = read(...list);
      expect(findings.map(({ id, severity }) => [id, severity])).toEqual([["GW503", "warning"]]);
      expect(servers.map(({ config }) => config?.registry_name)).toEqual([undefined]);
    }
  });

  it("compare names exactly", () => {
    expect(read(entry("a", null), entry("A", null)).findings).toEqual([]);
  });
});
