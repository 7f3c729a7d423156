import { open, realpath } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { GatewayError } from "../../../../shared/errors/gateway-error.ts";
import type { Argv } from "../../process/spawn-server.ts";

const nodeShebang = /^#!\s*(?:\/usr\/bin\/env\s+(?:-S\s+)?)?(?:\S*\/)?node(?:js)?\s*$/;

/**
 * How a package's program is started: JavaScript by the host's own Node (no shell, no package
 * runner between), anything else by its file.
 * @param path the program's path inside the package folder, as the package declares it
 * @throws GatewayError PROCESS_START_FAILED when the file is missing or lies outside the package.
 */
export async function binArgv(packageFolder: string, path: string): Promise<Argv> {
  const file = await resolveInside(packageFolder, path);
  const shebang = await readShebang(file);
  const isJavaScript =
    shebang === null
      ? [".js", ".cjs", ".mjs", ""].includes(extname(file))
      : nodeShebang.test(shebang);
  return isJavaScript ? [process.execPath, file] : [file];
}

async function resolveInside(packageFolder: string, path: string): Promise<string> {
  const folder = await realpath(packageFolder);
  const file = await realpath(join(folder, path)).catch(() => null);
  if (file?.startsWith(folder + sep)) return file;
  throw new GatewayError(
    "PROCESS_START_FAILED",
    "The package's program is not among its own files.",
    {
      hint: "The published package is broken; use another version of it.",
      details: { path },
    },
  );
}

/** The file's first line if it is `#!…`, `""` for a binary, null for anything else. */
async function readShebang(file: string): Promise<string | null> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
    const head = buffer.subarray(0, bytesRead);
    if (head.subarray(0, 4).equals(Buffer.from("\u007fELF"))) return "";
    const [line] = head.toString("latin1").split(/\r?\n/, 1);
    return line?.startsWith("#!") ? line : null;
  } finally {
    await handle.close();
  }
}
