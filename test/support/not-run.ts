import { readFileSync } from "node:fs";

const listFile = new URL("../not-run.txt", import.meta.url);

/**
 * Names of skipped tests that `test/not-run.txt` does not list. A line there is
 * `path > test name | reason`, or `path > * | reason` for all of a file; a line without a reason
 * excuses nothing.
 */
export function unlistedSkips(
  names: readonly string[],
  list: string = readFileSync(listFile, "utf8"),
): string[] {
  const excused = new Set(list.split("\n").flatMap(excusedName));
  return names.filter((name) => !excused.has(name) && !excused.has(`${fileOf(name)} > *`));
}

function fileOf(name: string): string {
  return name.slice(0, name.indexOf(" > "));
}

function excusedName(line: string): string[] {
  if (line.startsWith("#")) return [];
  const border = line.lastIndexOf(" | ");
  if (border === -1 || line.slice(border + 3).trim() === "") return [];
  return [line.slice(0, border).trim()];
}
