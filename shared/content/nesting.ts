/**
 * Most levels of objects and arrays in a server's answer. JSON.parse takes any number, but
 * JSON.stringify and every recursive reader run out of stack at some thousands.
 */
export const maxNesting = 512;

/** `value` (JSON data) holds objects or arrays nested more than `levels` deep. Linear, no recursion. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === levels) return true;
    level = level.flatMap((container) => Object.values(container).filter(isContainer));
  }
  return false;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
