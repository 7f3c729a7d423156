// Unpacks Python's official MCP SDK with the Python and the C library that it is compiled for,
// without installing anything and without root: `node test/support/python-mcp-setup.ts`.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { madeOnce, ownApt, systemMirror, unpackAll } from "./debian-mirror.ts";

const run = promisify(execFile);

/** The only Debian release that has the SDK. */
const suite = "sid";

export interface PythonMcp {
  /** Program and first arguments; a script's path and its arguments follow. */
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The Python, unpacked at the first call, or why it cannot be had here: no Debian, or packages of
 * the unstable release that do not fit together on this day.
 */
export async function setUpPythonMcp(): Promise<PythonMcp | string> {
  if (!existsSync("/etc/debian_version")) return "Python's MCP SDK comes from Debian's packages";
  try {
    return await pythonIn(await madeOnce(`python-mcp-${suite}`, make));
  } catch (error) {
    return `Debian's ${suite} gives no Python MCP SDK that runs: ${String(error)}`;
  }
}

async function make(work: string): Promise<string> {
  const { uri } = await systemMirror();
  // As on a system without any package, so that the C library comes along.
  const apt = await ownApt(work, { uri, suites: [suite] }, [
    "Dir::State::status=/dev/null",
    "APT::Install-Recommends=false",
    "Debug::NoLocking=true",
  ]);
  await apt.get("install", "--download-only", "--yes", "python3-mcp");
  const root = join(work, "root");
  await unpackAll(apt.archives, root);
  const { command, env } = await pythonIn(root);
  const [program, ...args] = command;
  await run(program, [...args, "-c", "import mcp.server.fastmcp, uvicorn"], { env });
  return root;
}

/** Runs by the dynamic loader that was unpacked: the system's C library is too old for it. */
async function pythonIn(root: string): Promise<PythonMcp> {
  const lib = join(root, "usr/lib");
  const machine = (await readdir(lib)).find((name) => name.endsWith("-linux-gnu"));
  const libraries = join(lib, machine ?? "");
  const loader = (await readdir(libraries)).find((name) => name.startsWith("ld-linux"));
  if (loader === undefined) throw new TypeError("the packages have no dynamic loader");
  const python = join(root, "usr/bin/python3");
  return {
    command: [join(libraries, loader), "--library-path", libraries, python],
    env: {
      PYTHONHOME: join(root, "usr"),
      PYTHONPATH: join(lib, "python3/dist-packages"),
      // One that a dependency of the SDK gives at every start.
      PYTHONWARNINGS: "ignore",
    },
  };
}

if (import.meta.main) console.log(await setUpPythonMcp());
