import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chooseProgram } from "../../../../../functions/host/launch/uvx/choose-program.ts";
import { declaredPrograms } from "../../../../../functions/host/launch/uvx/declared-programs.ts";
import { programArgv } from "../../../../../functions/host/launch/uvx/program-argv.ts";

describe("declaredPrograms", () => {
  it("finds what a package puts into bin, and nothing else", () => {
    const record = [
      "mcp_time/__init__.py,sha256=x,12",
      "../../../bin/mcp-time,sha256=x,200",
      "../../../bin/mcp_time.sh,,",
      "../../../bin/nested/tool,,",
      "../../../share/man/man1/mcp.1,,",
      "bin/not-a-program,,",
      "../../../bin/..,,",
      "mcp_time-1.0.dist-info/RECORD,,",
    ];
    expect(declaredPrograms(record.join("\r\n"))).toEqual(["mcp-time", "mcp_time.sh"]);
    expect(declaredPrograms("")).toEqual([]);
  });
});

describe("chooseProgram", () => {
  const tool = (programs: string[]) => ({
    entry: "/data",
    folder: "/x",
    name: "mcp-time",
    version: "1",
    programs,
  });

  it.each([
    ["the named one", ["a", "b"], "b", "b"],
    ["the namesake", ["a", "mcp-time"], null, "mcp-time"],
    ["the namesake in another spelling", ["a", "MCP_Time"], null, "MCP_Time"],
    ["the only one", ["serve-time"], null, "serve-time"],
  ])("takes %s", (_what, programs, bin, chosen) => {
    expect(chooseProgram(tool(programs), bin)).toBe(chosen);
  });

  it.each([
    ["a name that is not declared", ["a"], "b", "LAUNCH_NOT_ALLOWED"],
    ["an interpreter that is declared", ["python3"], "python3", "LAUNCH_NOT_ALLOWED"],
    ["an interpreter that is the only one", ["bash"], null, "LAUNCH_NOT_ALLOWED"],
    ["an open choice", ["a", "b"], null, "PROCESS_START_FAILED"],
    ["no program at all", [], null, "PROCESS_START_FAILED"],
  ])("refuses %s", (_what, programs, bin, code) => {
    expect(() => chooseProgram(tool(programs), bin)).toThrow(expect.objectContaining({ code }));
  });
});

describe("programArgv", () => {
  let environment: string;
  let python: string;
  beforeAll(async () => {
    environment = await mkdtemp(join(tmpdir(), "gangway-environment-"));
    python = join(environment, "bin", "python");
    await mkdir(join(environment, "bin"));
    const files = {
      script: "#!/gone/bin/python\nprint(1)\n",
      versioned: '#!/usr/bin/env python3.12\nprint("x")\n',
      long: `#!/bin/sh\n'''exec' "/gone/${"x".repeat(200)}/python" "$0" "$@"\n' '''\n`,
      shell: "#!/bin/sh\necho\n",
      binary: "\u007fELF",
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(environment, "bin", name), text);
      await chmod(join(environment, "bin", name), 0o755);
    }
    await symlink("/bin/sh", join(environment, "bin", "outside"));
  });
  afterAll(() => rm(environment, { recursive: true }));

  it.each(["script", "versioned", "long"])(
    "starts a %s by the environment's Python",
    async (name) => {
      expect(await programArgv(environment, name)).toEqual([
        python,
        join(environment, "bin", name),
      ]);
    },
  );

  it.each(["shell", "binary"])("starts a %s program by its file", async (name) => {
    expect(await programArgv(environment, name)).toEqual([join(environment, "bin", name)]);
  });

  it.each(["outside", "missing"])("refuses a program that is %s", async (name) => {
    await expect(programArgv(environment, name)).rejects.toMatchObject({
      code: "PROCESS_START_FAILED",
    });
  });
});
