import { open, realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { Argv } from "../../process/spawn-server.ts";

/**
 * How a program of a virtual environment is started: a script by the environment's own Python, so
 * that the path in its first line, where it was installed, need not be true any more; anything
 * else by its file.
 * @throws GatewayError PROCESS_START_FAILED when the file is missing or lies outside.
 */
export async function programArgv(environment: string, program: string): Promise<Argv> {
  const file = await resolveInside(environment, program);
  return (await isPythonScript(file)) ? [join(environment, "bin", "python"), file] : [file];
}

async function resolveInside(environment: string, program: string): Promise<string> {
  const folder = await realpath(environment);
  const file = await realpath(join(folder, "bin", program)).catch(() => null);
  if (file?.startsWith(folder + sep)) return file;
  throw new GatewayError(
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
async function isPythonScript(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
    const [first = "", second = ""] = buffer.toString("latin1", 0, bytesRead).split(/\r?\n/, 2);
    if (!first.startsWith("#!")) return false;
    return /python[\d.]*["']?(?:\s|$)/.test(first) || second.startsWith("'''exec'");
  } finally {
    await handle.close();
  }
}
