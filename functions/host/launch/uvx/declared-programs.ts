/**
 * The programs that a Python package declares, by its RECORD: whatever it put into the
 * environment's `bin`, entry points and scripts alike. What it depends on has records of its own.
 * @see https://packaging.python.org/en/latest/specifications/recording-installed-packages/
 */
export function declaredPrograms(record: string): string[] {
  return record.split(/\r?\n/).flatMap((line) => {
    const name = /^(?:\.\.\/)+bin\/([^/,"\\]+),/.exec(line)?.[1];
    return name === undefined || name === "." || name === ".." ? [] : [name];
  });
}
