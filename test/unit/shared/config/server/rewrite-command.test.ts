import { describe, expect, it } from "vitest";
import { readConfig } from "../../../../../shared/config/read-config.ts";

type Argv = readonly [command: string, ...args: string[]];

function read([command, ...args]: Argv) {
  return readConfig({ value: { mcpServers: { a: { command, args } } } });
}

describe("commands other than npx, uvx and docker", () => {
  it.each<[title: string, before: Argv, after: Argv]>([
    ["cmd /c", ["cmd", "/c", "npx", "-y", "pkg@1.0.0"], ["npx", "-y", "pkg@1.0.0"]],
    ["cmd.exe /C", ["cmd.exe", "/C", "npx.cmd", "-y", "pkg@1.0.0"], ["npx", "-y", "pkg@1.0.0"]],
    [
      "a Windows path",
      ["C:\\Program Files\\nodejs\\npx.cmd", "-y", "p@1.0.0"],
      ["npx", "-y", "p@1.0.0"],
    ],
    ["a Unix path", ["/opt/homebrew/bin/uvx", "pkg==1.0.0"], ["uvx", "pkg==1.0.0"]],
    [
      "a login shell",
      ["bash", "-lc", "exec npx -y pkg@1.0.0 --x"],
      ["npx", "-y", "pkg@1.0.0", "--x"],
    ],
    [
      "a login shell with options in two words",
      ["/bin/bash", "-l", "-c", "exec npx -y pkg@1.0.0"],
      ["npx", "-y", "pkg@1.0.0"],
    ],
    ["pnpx", ["pnpx", "pkg@1.0.0"], ["npx", "-y", "pkg@1.0.0"]],
    ["pnpm dlx", ["pnpm", "dlx", "pkg@1.0.0"], ["npx", "-y", "pkg@1.0.0"]],
    ["bunx", ["bunx", "pkg@1.0.0"], ["npx", "-y", "pkg@1.0.0"]],
    ["npm exec", ["npm", "exec", "--", "pkg@1.0.0"], ["npx", "-y", "pkg@1.0.0"]],
    ["uv tool run", ["uv", "tool", "run", "pkg==1.0.0"], ["uvx", "pkg==1.0.0"]],
    ["pipx run", ["pipx", "run", "pkg==1.0.0"], ["uvx", "pkg==1.0.0"]],
    [
      "an installed script",
      ["node", "/app/node_modules/@scope/pkg/dist/index.js", "--x"],
      ["npx", "-y", "@scope/pkg", "--x"],
    ],
    [
      "a Python module",
      ["python3", "-m", "mcp_server_git", "--x"],
      ["uvx", "mcp-server-git", "--x"],
    ],
    ["podman", ["podman", "run", "-i", "--rm", "a/b"], ["docker", "run", "-i", "--rm", "a/b"]],
    ["one line", ["npx -y pkg@1.0.0", "--x"], ["npx", "-y", "pkg@1.0.0", "--x"]],
  ])("are rewritten and told: %s", (_, before, [command, ...args]) => {
    const reading = read(before);
    expect(reading.servers[0]?.config).toMatchObject({ command, args });
    expect(reading.findings.map(({ id }) => id)).toContain("GW202");
  });

  it.each<[title: string, argv: Argv]>([
    ["a local script", ["node", "./server.js"]],
    ["a local module", ["python", "-m", "src.server"]],
    ["a shell line with operators", ["bash", "-c", "npx pkg@1.0.0 && id"]],
    ["a shell line with substitutions", ["sh", "-c", "npx $(id)"]],
    ["cmd with another program", ["cmd", "/c", "del", "x"]],
    ["uv run", ["uv", "run", "server.py"]],
    ["an option before the package", ["pnpm", "dlx", "--package=x", "y"]],
    ["a program of its own", ["/usr/local/bin/my-server"]],
  ])("are refused where no equal launch is certain: %s", (_, argv) => {
    const reading = read(argv);
    expect(reading.servers[0]?.config).toBeNull();
    expect(reading.findings.map(({ id }) => id)).toContain("GW201");
  });

  it("get the rewrite as a hint in the native form, where nothing is rewritten", () => {
    const text =
      "tools:\n  - {name: a, type: mcp, description: d, command: cmd, args: [/c, npx, -y, p@1.0.0]}\n";
    const [finding] = readConfig({ text }).findings;
    expect(finding).toMatchObject({
      id: "GW201",
      hint: "Write `command: npx` in place of the first 2.",
    });
  });
});
