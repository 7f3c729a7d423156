import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildDeployment, DeploymentFileError } from "../../../infra/build-deployment.ts";
import { root } from "../../support/source-files.ts";

const tenant = "tenants:\n  - id: acme\n    mcp_servers:\n";
const untagged = `version: "1.0"\n${tenant}      - { name: a, description: A server., type: mcp, command: npx, args: [-y, some-package] }\n`;
const broken = `version: "1.0"\n${tenant}      - { name: a, type: mcp, transport: http }\n`;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gangway-build-"));
  file = join(folder, "gangway.yaml");
});
afterEach(() => rmSync(folder, { recursive: true }));

const tenants = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(root, "infra/build-tenants.ts"), ...args], {
    encoding: "utf8",
  });

describe("a deployment file", () => {
  it("is built although there are warnings, which are told with their place", () => {
    writeFileSync(file, untagged);
    const told: string[] = [];
    const built = buildDeployment(file, (line) => told.push(line));
    expect(built).toContain("some-package");
    expect(told).toEqual([expect.stringMatching(/gangway\.yaml:\d+:\d+ warning .*\(GW\d+\)\n/)]);
  });

  it("that is wrong is refused with nothing but its findings", () => {
    writeFileSync(file, broken);
    expect(() => buildDeployment(file)).toThrow(DeploymentFileError);
    expect(() => buildDeployment(file)).toThrow(/^\S*gangway\.yaml:\d+:\d+ error /);
  });
});

describe("the tenants for KV", () => {
  it("are written to the file of --out, and warnings to stderr", () => {
    writeFileSync(file, untagged);
    const out = join(folder, "tenants.json");
    const { status, stdout, stderr } = tenants(file, "--out", out);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toMatch(/gangway\.yaml:\d+:\d+ warning /);
    expect(JSON.parse(readFileSync(out, "utf8"))).toEqual([
      expect.objectContaining({ key: "tenant:acme" }),
    ]);
  });

  it("leave no file when something is wrong, and no stack", () => {
    writeFileSync(file, broken);
    const out = join(folder, "tenants.json");
    const { status, stderr } = tenants(file, "--out", out);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^\S*gangway\.yaml:\d+:\d+ error /);
    expect(stderr).not.toContain("    at ");
    expect(existsSync(out)).toBe(false);
  });

  it.each([[[]], [["a.yaml", "b.yaml"]]])("tell their usage for %j", (args) => {
    const { status, stderr } = tenants(...args);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringMatching(/^usage: /) });
  });
});
