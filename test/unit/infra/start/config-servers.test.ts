import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfigServers } from "../../../../infra/start/config-servers.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gangway-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string, name = "agent.yaml") {
  const file = join(folder, name);
  writeFileSync(file, text);
  return readConfigServers(file);
}

describe("the servers of a config for npm start", () => {
  it("are kept apart: those that can be used, and those with errors and their findings", () => {
    const { servers, unusable } = read(`tools:
  - { name: good, type: mcp, description: d, command: npx, args: [-y, p@1.0.0] }
  - { name: bad, type: mcp, description: d, command: bash, args: [-c, id] }
  - { name: off, type: mcp, description: d, command: npx, args: [-y, p@1.0.0], disabled: true }
`);
    expect(servers.map(({ name, disabled }) => [name, disabled])).toEqual([
      ["good", false],
      ["off", true],
    ]);
    expect(unusable).toEqual([
      { name: "bad", findings: [expect.objectContaining({ severity: "error", line: 3 })] },
    ]);
  });

  it("are told under the names that calls take, with the hint below each finding", () => {
    const file = JSON.stringify({ mcpServers: { "my docs": { url: "https://a.example/mcp" } } });
    const { servers, notes } = read(file, ".mcp.json");
    expect(servers.map(({ name }) => name)).toEqual(["my_docs"]);
    expect(notes.join("\n")).toMatch(
      /\.mcp\.json:1:\d+ info The name 'my docs' was changed to 'my_docs'\. \(GW123\)\n {4}\S/,
    );
  });
});
