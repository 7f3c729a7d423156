import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readIsolationSettings } from "../../../../functions/host/isolation/isolation-settings.ts";
import { root } from "../../../support/source-files.ts";

const poolSize = 500;

it("gives a name to the users of the image's launches, so that servers may ask who they are", () => {
  const dockerfile = readFileSync(join(root, "infra/Dockerfile"), "utf8");
  const command = /^RUN (\["node", "-e", .*appendFileSync.*)$/m.exec(dockerfile)?.[1] ?? "[]";
  const [, flag = "", script = ""] = JSON.parse(command) as string[];
  const folder = mkdtempSync(join(tmpdir(), "gangway-users-"));
  const file = join(folder, "passwd");
  writeFileSync(file, "root:x:0:0:root:/root:/bin/bash\n");
  execFileSync(process.execPath, [flag, script.replace("/etc/passwd", file)]);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  rmSync(folder, { recursive: true });
  const ids = lines.map((line) => Number(line.split(":")[2]));
  const { launchUids, installerUid } = readIsolationSettings({}, poolSize);
  const claimed = Array.from({ length: poolSize }, (_, index) => launchUids.first + index);
  expect(ids).toEqual(expect.arrayContaining([0, installerUid, ...claimed]));
  expect(new Set(ids).size).toBe(ids.length);
  expect(lines.filter((line) => line.split(":").length !== 7)).toEqual([]);
});
