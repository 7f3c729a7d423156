import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export interface SourceFile {
  /** From the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The repository's root folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every source file that matches, sorted by path. */
export function sourceFiles(...patterns: readonly string[]): SourceFile[] {
  return globSync([...patterns], { cwd: root })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
