import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { format } from "oxfmt";
import type { Output } from "./outputs.ts";

/** Writes every output under `root`. */
export async function writeOutputs(outputs: readonly Output[], root: string): Promise<void> {
  for (const output of outputs) {
    const file = join(root, output.path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await formatted(output));
  }
}

/** Paths of the outputs whose file under `root` is missing or differs from its source. */
export async function staleOutputs(outputs: readonly Output[], root: string): Promise<string[]> {
  const checks = outputs.map(async (output) => {
    const current = await readIfPresent(join(root, output.path));
    return current === (await formatted(output)) ? [] : [output.path];
  });
  return (await Promise.all(checks)).flat();
}

/** As the formatter would leave it, so that formatting never counts as drift. */
async function formatted({ path, render, plain }: Output): Promise<string> {
  if (plain === true) return render();
  const { code, errors } = await format(path, await render());
  const [error] = errors;
  if (error !== undefined) throw new TypeError(`${path} does not parse: ${error.message}`);
  return code;
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}
