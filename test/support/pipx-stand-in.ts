import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { whyMissing } from "./debian-packages.ts";

const run = promisify(execFile);
const python = "/usr/bin/python3";

/** Why this machine has no pipx; null = it has. */
export function whyNoPipx(): Promise<string | null> {
  const packages = ["pipx", "python3-venv", "python3-pip-whl", "python3-setuptools-whl"];
  return whyMissing({ what: "pipx", programs: ["pipx"], packages });
}

/**
 * A stand-in for uv where the real one cannot be had. It understands the one command that the host
 * gives, and carries it out by Debian's pipx without any index: packages come from wheels.
 */
export interface UvStandIn {
  readonly path: string;
  /** Arguments and environment of each call, in order. */
  readonly calls: () => Promise<{ args: string[]; env: Record<string, string> }[]>;
  /** Makes a wheel that it can install. */
  readonly publish: (wheel: Wheel) => Promise<void>;
  /** Calls wait until `release`. */
  readonly hold: () => Promise<void>;
  readonly release: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface Wheel {
  readonly name: string;
  readonly version: string;
  /** Console scripts: name → `module:function`. */
  readonly scripts: Record<string, string>;
  /** Contents by path. */
  readonly files: Record<string, string>;
  readonly dependencies?: readonly string[];
}

const program = (folder: string) => `#!/bin/sh
set -e
${python} -c 'import json, os, sys
open(sys.argv[1], "a").write(json.dumps({"args": sys.argv[2:], "env": dict(os.environ)}) + "\\n")' "${folder}/calls" "$@"
[ "$1 $2 $3" = "tool install --" ] && [ $# = 4 ] || { echo "not a command of the stand-in: $*" >&2; exit 2; }
while [ -e "${folder}/held" ]; do sleep 0.1; done
export PIPX_HOME="$UV_TOOL_DIR" PIPX_BIN_DIR="$UV_TOOL_BIN_DIR" PIPX_SHARED_LIBS="${folder}/shared"
export PIP_NO_INDEX=1 PIP_FIND_LINKS="${folder}/wheels /usr/share/python-wheels"
[ -z "$UV_NO_BUILD" ] || export PIP_ONLY_BINARY=:all:
flock "${folder}/lock" pipx install "$4"
mv "$PIPX_HOME"/venvs/* "$PIPX_HOME"
`;

export async function makeUvStandIn(): Promise<UvStandIn> {
  const folder = await mkdtemp(join(tmpdir(), "gangway-uv-stand-in-"));
  // Who calls it writes there: the installer of a host that isolates.
  await chmod(folder, 0o777);
  const path = join(folder, "uv");
  await mkdir(join(folder, "wheels"));
  await writeFile(path, program(folder));
  await chmod(path, 0o755);
  return {
    path,
    calls: async () => {
      const text = await readFile(join(folder, "calls"), "utf8").catch(() => "");
      return text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line));
    },
    publish: (wheel) => makeWheel(wheel, join(folder, "wheels")),
    hold: () => writeFile(join(folder, "held"), ""),
    release: () => rm(join(folder, "held"), { force: true }),
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** @see https://packaging.python.org/en/latest/specifications/binary-distribution-format/ */
async function makeWheel(wheel: Wheel, wheels: string): Promise<void> {
  const base = `${wheel.name.replaceAll("-", "_")}-${wheel.version}`;
  const info = `${base}.dist-info`;
  const lines = (parts: readonly string[]) => `${parts.join("\n")}\n`;
  const metadata = ["Metadata-Version: 2.1", `Name: ${wheel.name}`, `Version: ${wheel.version}`];
  const requires = (wheel.dependencies ?? []).map((name) => `Requires-Dist: ${name}`);
  const scripts = Object.entries(wheel.scripts).map(([name, target]) => `${name} = ${target}`);
  const files: Record<string, string> = {
    ...wheel.files,
    [`${info}/METADATA`]: lines([...metadata, ...requires]),
    [`${info}/WHEEL`]: lines(["Wheel-Version: 1.0", "Root-Is-Purelib: true", "Tag: py3-none-any"]),
    [`${info}/entry_points.txt`]: lines(["[console_scripts]", ...scripts]),
  };
  files[`${info}/RECORD`] = lines(
    [...Object.keys(files), `${info}/RECORD`].map((name) => `${name},,`),
  );
  const script = `import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as wheel:
    for name, text in json.loads(sys.argv[2]).items(): wheel.writestr(name, text)`;
  const path = join(wheels, `${base}-py3-none-any.whl`);
  await run(python, ["-c", script, path, JSON.stringify(files)]);
}

/** A Python MCP server on nothing but the standard library, as a package. */
export function pythonServer(name: string, version = "1.0.0"): Wheel {
  const module = name.replaceAll("-", "_");
  return {
    name,
    version,
    scripts: { [name]: `${module}:main`, [`${name}-other`]: `${module}:other` },
    files: { [`${module}/__init__.py`]: pythonServerModule },
  };
}

/** Its `main` serves; a file of its own that ends with `main()` does as well. */
export const pythonServerModule = `
import json, os, sys

def surroundings():
    return json.dumps({"argv": sys.argv[1:], "program": sys.argv[0], "executable": sys.executable,
        "prefix": sys.prefix, "parent": os.getppid(), "pid": os.getpid(), "env": dict(os.environ)})

def answer(method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "python", "version": "1"}}
    if method == "tools/list":
        return {"tools": [{"name": "surroundings", "inputSchema": {"type": "object"}}]}
    if method == "tools/call":
        text = surroundings() if params["name"] == "surroundings" else json.dumps(params["arguments"])
        return {"content": [{"type": "text", "text": text}]}
    return {}

def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            result = answer(message["method"], message.get("params", {}))
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)

def other():
    main()
`;
