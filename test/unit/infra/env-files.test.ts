import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readEnvFiles } from "../../../infra/env-files.ts";
import { serverConfigSchema } from "../../../shared/config/server-config.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gangway-env-"));
  await mkdir(join(folder, "config/sub"), { recursive: true });
  await writeFile(join(folder, "outside.env"), "A=outside");
  await writeFile(join(folder, "config/.env"), "A=1");
  await writeFile(join(folder, "config/sub/more.env"), "B=2");
  await symlink(join(folder, "outside.env"), join(folder, "config/link.env"));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

function read(...paths: readonly string[]) {
  const servers = paths.map((path, index) =>
    serverConfigSchema.parse({ name: `s${index}`, type: "mcp", command: "npx", env_file: path }),
  );
  return readEnvFiles(join(folder, "config"), servers);
}

describe("env files", () => {
  it("are read from the config's folder, under their paths as written", () => {
    expect(read(".env", "./sub/more.env")).toEqual({
      texts: { ".env": "A=1", "./sub/more.env": "B=2" },
      problems: [],
    });
  });

  it.each(["../outside.env", "link.env", "/etc/hostname", "."])(
    "are not read from outside: %s",
    (path) => {
      const { texts, problems } = read(path);
      expect(texts).toEqual({});
      expect(problems).toEqual([
        `Env file '${path}' of 's0' is outside the config's folder and is not read.`,
      ]);
    },
  );

  it("that are missing are told, and the others are read", () => {
    const { texts, problems } = read("no.env", ".env");
    expect(texts).toEqual({ ".env": "A=1" });
    expect(problems).toEqual(["Env file 'no.env' of 's0' does not exist."]);
  });
});
