import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Launch } from "../../../shared/run-contract/contract.ts";

/** One way to run other code through an npx that looks harmless. DIR is the folder of `layTraps`. */
export interface NpxRoute {
  readonly what: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Folder that npx is started in, below DIR; a host has no such folder. */
  readonly cwd?: string;
  /** What an edge that reads the line wrongly would ask the host to start. */
  readonly launch: Partial<Launch>;
}

const spring = "touch DIR/sprung";
const good = ["-y", "good@1.0.0"];
const pinned = { package: "good", version: "1.0.0" };

/** FACTS of the package runner: each of them was seen to work. */
export const npxRoutes: readonly NpxRoute[] = [
  { what: "-c", args: ["-c", spring], launch: { package: "-c", args: [spring] } },
  { what: "--call", args: ["--call", spring], launch: { package: "--call", args: [spring] } },
  { what: "--call=", args: [`--call=${spring}`], launch: { package: `--call=${spring}` } },
  { what: "-yc", args: ["-yc", spring], launch: { package: "-yc", args: [spring] } },
  {
    what: "-p PKG -c",
    args: ["-y", "-p", "good@1.0.0", "-c", spring],
    launch: { ...pinned, bin: "-c", args: [spring] },
  },
  {
    what: "-p PKG -- sh -c",
    args: ["-y", "-p", "good@1.0.0", "--", "sh", "-c", spring],
    launch: { ...pinned, bin: "sh", args: ["-c", spring] },
  },
  {
    what: "-p PKG BIN of another package",
    args: ["-y", "-p", "good@1.0.0", "-p", "evil@1.0.0", "evil"],
    launch: { ...pinned, bin: "evil" },
  },
  {
    what: "-p PKG BIN of a dependency",
    args: ["-y", "-p", "leans@1.0.0", "evil"],
    launch: { package: "leans", version: "1.0.0", bin: "evil" },
  },
  {
    what: "-p PKG BIN on PATH",
    args: ["-y", "-p", "good@1.0.0", "lurks"],
    env: { PATH: "DIR/bin:/usr/local/bin:/usr/bin:/bin" },
    launch: { ...pinned, bin: "lurks" },
  },
  {
    what: "--script-shell",
    args: ["--script-shell=DIR/shell", ...good],
    launch: { package: "--script-shell=DIR/shell" },
  },
  {
    what: "--shell",
    args: ["--shell=DIR/shell", ...good],
    launch: { package: "--shell=DIR/shell" },
  },
  {
    what: "--node-options",
    args: ["--node-options=--require DIR/preload.cjs", ...good],
    launch: { package: "--node-options=--require DIR/preload.cjs" },
  },
  {
    what: "--userconfig",
    args: ["--userconfig=DIR/rc", ...good],
    launch: { package: "--userconfig=DIR/rc" },
  },
  {
    what: "--globalconfig",
    args: ["--globalconfig=DIR/rc", ...good],
    launch: { package: "--globalconfig=DIR/rc" },
  },
  {
    what: "--prefix",
    args: ["--prefix=DIR/project", ...good],
    launch: { package: "--prefix=DIR/project" },
  },
  {
    what: "--git",
    args: ["-y", "--git=DIR/shell", "git+ssh://git@example.invalid/x/y.git"],
    launch: { package: "git+ssh://git@example.invalid/x/y.git" },
  },
  {
    what: "an .npmrc where it starts",
    args: good,
    cwd: "project",
    launch: { ...pinned, args: ["--prefix", "DIR/project"] },
  },
  {
    what: "a program where it starts",
    args: ["good"],
    cwd: "shadow",
    launch: { package: "DIR/shadow/node_modules/.bin/good" },
  },
  { what: "a folder", args: ["-y", "DIR/evil"], launch: { package: "DIR/evil" } },
  { what: "a folder by URL", args: ["-y", "file:DIR/evil"], launch: { package: "file:DIR/evil" } },
  {
    what: "an alias",
    args: ["-y", "good@npm:evil@1.0.0"],
    launch: { package: "good", version: "npm:evil@1.0.0" },
  },
  {
    what: "a nameless alias",
    args: ["-y", "npm:evil@1.0.0"],
    launch: { package: "npm:evil", version: "1.0.0" },
  },
  {
    what: "another registry",
    args: ["-y", "--registry=EVIL", "good@2.0.0"],
    launch: { package: "--registry=EVIL" },
  },
  {
    what: "NODE_OPTIONS",
    args: good,
    env: { NODE_OPTIONS: "--require DIR/preload.cjs" },
    launch: { ...pinned, env: { NODE_OPTIONS: "--require DIR/preload.cjs" } },
  },
  {
    what: "node_options in small letters",
    args: good,
    env: { npm_config_node_options: "--require DIR/preload.cjs" },
    launch: { ...pinned, env: { Npm_Config_Node_Options: "--require DIR/preload.cjs" } },
  },
  {
    what: "npm_config_call",
    args: [],
    env: { npm_config_call: spring },
    launch: { ...pinned, env: { npm_config_call: spring } },
  },
  {
    what: "NPM_CONFIG_SCRIPT_SHELL",
    args: good,
    env: { NPM_CONFIG_SCRIPT_SHELL: "DIR/shell" },
    launch: { ...pinned, env: { NPM_CONFIG_SCRIPT_SHELL: "DIR/shell" } },
  },
  {
    what: "npm_config_userconfig",
    args: good,
    env: { npm_config_userconfig: "DIR/rc" },
    launch: { ...pinned, secret_env: { npm_config_userconfig: "DIR/rc" } },
  },
  {
    what: "npm_config_package",
    args: ["-y", "evil"],
    env: { npm_config_package: "evil@1.0.0" },
    launch: { ...pinned, bin: "evil", env: { npm_config_package: "evil@1.0.0" } },
  },
];

const shellScript = '#!/bin/sh\n: > DIR/sprung\nexec /bin/sh "$@"\n';
const springer = '#!/usr/bin/env node\nrequire("node:fs").writeFileSync("DIR/sprung", "");\n';

/** Lays everything that the routes name into a folder; whatever of it runs makes the file `sprung`. */
export async function layTraps(folder: string): Promise<void> {
  const files: Record<string, string> = {
    shell: shellScript,
    "preload.cjs": springer,
    rc: "script-shell=DIR/shell\n",
    "project/.npmrc": "script-shell=DIR/shell\n",
    "project/package.json": '{"name":"project"}',
    "shadow/package.json": '{"name":"shadow"}',
    "shadow/node_modules/.bin/good": springer,
    "bin/lurks": shellScript,
    "evil/package.json": '{"name":"evil","version":"1.0.0","bin":{"evil":"evil.cjs"}}',
    "evil/evil.cjs": springer,
    "home/.npmrc": "script-shell=DIR/shell\nnode-options=--require DIR/preload.cjs\n",
    "empty/.keep": "",
  };
  for (const [path, text] of Object.entries(files)) {
    const place = join(folder, path);
    await mkdir(join(place, ".."), { recursive: true });
    await writeFile(place, text.replaceAll("DIR", folder));
    await chmod(place, 0o755);
  }
}

/** The package whose program springs the trap. */
export function evilFiles(folder: string): Record<string, string> {
  return { "evil.cjs": springer.replaceAll("DIR", folder) };
}
