import { globSync, readFileSync } from "node:fs";

const nodeImport = /from\s+"node:|import\(\s*"node:/;

/**
 * The test files under `folder` that can run in workerd as well: those that import nothing of
 * Node's. Paths from the working directory, sorted.
 */
export function portableTests(folder: string): string[] {
  return globSync(`${folder}/**/*.test.ts`)
    .filter((path) => !nodeImport.test(readFileSync(path, "utf8")))
    .toSorted();
}
