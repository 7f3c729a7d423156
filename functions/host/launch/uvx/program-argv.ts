import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { Argv } from "../../process/spawn-server.ts";
import { readBeginning } from "../read-installed.ts";

/**
 * How a program of a virtual environment is started: a script by the environment's own Python, so
 * that the path in its first line, where it was installed, need not be true any more; anything
 * else by its file.
 * @throws GatewayError PROCESS_START_FAILED when the file is missing or lies outside.
 */
export async function programArgv(environment: string, program: string): Promise<Argv> {
  const file = await resolveInside(environment, program);
  const head = file === null ? null : await readBeginning(file, 4096);
  if (file === null || head === null) throw notItsOwn(program);
  return isPythonScript(head) ? [join(environment, "bin", "python"), file] : [file];
}

async function resolveInside(environment: string, program: string): Promise<string | null> {
  const folder = await realpath(environment);
  const file = await realpath(join(folder, "bin", program)).catch(() => null);
  return file?.startsWith(folder + sep) ? file : null;
}

function notItsOwn(program: string): GatewayError {
  return new GatewayError(
    "PROCESS_START_FAILED",
    "The package's program is not among its own files.",
    {
      hint: "The published package is broken; use another version of it.",
      details: { program },
    },
  );
}

/**
 * `#!…python`, or for paths too long for a first line a shell's `exec` that Python reads as a
 * string.
 */
function isPythonScript(head: Buffer): boolean {
  const [first = "", second = ""] = head.toString("latin1").split(/\r?\n/, 2);
  if (!first.startsWith("#!")) return false;
  return /python[\d.]*["']?(?:\s|$)/.test(first) || second.startsWith("'''exec'");
}
