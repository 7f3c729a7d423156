import { realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { Argv } from "../../process/spawn-server.ts";
import { readBeginning } from "../read-installed.ts";

const nodeShebang = /^#!\s*(?:\/usr\/bin\/env\s+(?:-S\s+)?)?(?:\S*\/)?node(?:js)?\s*$/;

/**
 * How a package's program is started: JavaScript by the host's own Node (no shell, no package
 * runner between), anything else by its file.
 * @param path the program's path inside the package folder, as the package declares it
 * @throws GatewayError PROCESS_START_FAILED when the file is missing or lies outside the package.
 */
export async function binArgv(packageFolder: string, path: string): Promise<Argv> {
  const file = await resolveInside(packageFolder, path);
  const head = file === null ? null : await readBeginning(file, 256);
  if (file === null || head === null) throw notItsOwn(path);
  const shebang = shebangOf(head);
  const isJavaScript =
    shebang === null
      ? [".js", ".cjs", ".mjs", ""].includes(extname(file))
      : nodeShebang.test(shebang);
  return isJavaScript ? [process.execPath, file] : [file];
}

async function resolveInside(packageFolder: string, path: string): Promise<string | null> {
  const folder = await realpath(packageFolder);
  const file = await realpath(join(folder, path)).catch(() => null);
  return file?.startsWith(folder + sep) ? file : null;
}

function notItsOwn(path: string): GatewayError {
  return new GatewayError(
    "PROCESS_START_FAILED",
    "The package's program is not among its own files.",
    {
      hint: "The published package is broken; use another version of it.",
      details: { path },
    },
  );
}

/** The file's first line if it is `#!…`, `""` for a binary, null for anything else. */
function shebangOf(head: Buffer): string | null {
  if (head.subarray(0, 4).equals(Buffer.from("\u007fELF"))) return "";
  const [line] = head.toString("latin1").split(/\r?\n/, 1);
  return line?.startsWith("#!") ? line : null;
}
