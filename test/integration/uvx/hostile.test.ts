import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseLaunch } from "../../../shared/policy/launch.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import {
  makeUvStandIn,
  pythonServer,
  type UvStandIn,
  whyNoPipx,
} from "../../support/pipx-stand-in.ts";
import { callRequest, errorOf, textOf } from "../../support/run-request.ts";
import { type StartedHost, startHost } from "../../support/start-host.ts";

const noPipx = await whyNoPipx();

type Route = readonly [what: string, args: readonly string[], launch: Partial<Launch>];

const spring = "touch DIR/sprung";
const good = { package: "good-server", version: "1.0.0" };
/** Lines by which uvx runs other code, and what an edge that reads them wrongly would ask for. */
const routes: readonly Route[] = [
  [
    "a shell",
    ["--from", "good-server==1.0.0", "bash", "-c", spring],
    { ...good, bin: "bash", args: ["-c", spring] },
  ],
  [
    "a plain shell",
    ["--from=good-server==1.0.0", "sh", "-c", spring],
    { ...good, bin: "sh", args: ["-c", spring] },
  ],
  [
    "Python",
    ["--from", "good-server==1.0.0", "python", "DIR/evil.py"],
    { ...good, bin: "python", args: ["DIR/evil.py"] },
  ],
  [
    "Python by version",
    ["--from", "good-server==1.0.0", "python3.11", "DIR/evil.py"],
    { ...good, bin: "python3.11", args: ["DIR/evil.py"] },
  ],
  [
    "Python as package",
    ["python@3.11", "DIR/evil.py"],
    { package: "python", version: "3.11", args: ["DIR/evil.py"] },
  ],
  ["a file", ["DIR/evil.py"], { package: "DIR/evil.py", version: null }],
  [
    "a folder",
    ["--from", "DIR", "good-server"],
    { package: "DIR", version: null, bin: "good-server" },
  ],
  [
    "a file by URL",
    ["--from", "file:DIR/evil.whl", "evil"],
    { package: "file:DIR/evil.whl", version: null },
  ],
  ["a repository", ["--from", "git+file:DIR", "evil"], { package: "git+file:DIR", version: null }],
  [
    "another interpreter",
    ["--python", "DIR/python", "good-server==1.0.0"],
    { package: "--python", args: ["DIR/python"] },
  ],
  [
    "a package beside",
    ["--with", "evil", "good-server==1.0.0"],
    { ...good, extras: ["--with", "evil"] },
  ],
  [
    "an editable folder",
    ["--with-editable", "DIR", "good-server==1.0.0"],
    { package: "--with-editable" },
  ],
  [
    "another index",
    ["--index-url", "http://127.0.0.1:1/", "good-server==1.0.0"],
    { package: "--index-url" },
  ],
  [
    "a folder of packages",
    ["--find-links=DIR", "good-server==1.0.0"],
    { package: "--find-links=DIR" },
  ],
  [
    "a settings file",
    ["--config-file", "DIR/uv.toml", "good-server==1.0.0"],
    { package: "--config-file" },
  ],
  ["an env file", ["--env-file=DIR/env", "good-server==1.0.0"], { package: "--env-file=DIR/env" }],
  [
    "an option behind --from",
    ["--from", "good-server==1.0.0", "--with", "evil", "good-server"],
    { ...good, bin: "--with" },
  ],
  [
    "a program that is not the package's",
    ["--from", "good-server==1.0.0", "lurks"],
    { ...good, bin: "lurks" },
  ],
];
const variables = [
  "UV_INDEX_URL",
  "uv_python",
  "PIP_INDEX_URL",
  "PYTHONSTARTUP",
  "PYTHONPATH",
  "PIPX_DEFAULT_PYTHON",
];

describe.skipIf(noPipx !== null)(
  "hostile uvx launches, with a stand-in for uv built on pipx",
  () => {
    let uv: UvStandIn;
    let host: StartedHost;
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "gangway-trap-"));
      const script = `#!/bin/sh\n: > ${folder}/sprung\n`;
      await writeFile(join(folder, "python"), script, { mode: 0o755 });
      await writeFile(join(folder, "lurks"), script, { mode: 0o755 });
      await writeFile(join(folder, "evil.py"), `open("${folder}/sprung", "w")\n`);
      uv = await makeUvStandIn();
      await uv.publish(pythonServer("good-server"));
      const path = `${folder}:${process.env["PATH"] ?? ""}`;
      host = await startHost({ environment: { GANGWAY_HOST_UV: uv.path, PATH: path } });
    });
    afterAll(async () => {
      await host?.dispose();
      await uv?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const isSprung = () => existsSync(join(folder, "sprung"));
    const placed = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value).replaceAll("DIR", folder)) as Value;
    const run = (launch: Partial<Launch>) =>
      host.run(
        callRequest(
          null,
          "surroundings",
          {},
          {
            pool_key: JSON.stringify(launch),
            launch: { runner: "uvx", version: null, ...launch },
          },
        ),
      );

    it("would be sprung by these trip-wires", async () => {
      for (const [command, ...args] of [
        ["sh", "-c", `touch ${folder}/sprung`],
        ["python3", join(folder, "evil.py")],
        [join(folder, "python")],
      ]) {
        spawnSync(command ?? "", args);
        expect(isSprung()).toBe(true);
        await rm(join(folder, "sprung"));
      }
    });

    it.each(routes)(
      "spring nothing: %s",
      async (what, args, launch) => {
        // Only the host can see what programs a package has.
        const isForm = what === "a program that is not the package's";
        expect(parseLaunch("uvx", placed(args)).ok).toBe(isForm);
        const events = await run(placed(launch));
        expect(errorOf(events)).toMatchObject({ code: "LAUNCH_NOT_ALLOWED", executed: "no" });
        expect(isSprung()).toBe(false);
      },
      120_000,
    );

    it.each(variables)("take no variable %s", async (name) => {
      const launch = { ...good, env: { [name]: join(folder, "python") }, env_opt_in: [name] };
      expect(errorOf(await run(launch))).toMatchObject({ code: "LAUNCH_NOT_ALLOWED" });
      expect(isSprung()).toBe(false);
    });

    it("leave the honest ones alone, whatever follows the package", async () => {
      const args = [
        "-c",
        `touch ${folder}/sprung`,
        `;touch ${folder}/sprung`,
        `$(touch ${folder}/sprung)`,
      ];
      const seen = JSON.parse(textOf(await run({ ...good, args })));
      expect(seen.argv).toEqual(args);
      expect(isSprung()).toBe(false);
    });
  },
);
