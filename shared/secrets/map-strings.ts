/**
 * A copy of JSON data with every string, object keys too, replaced by `map`, every number by
 * `mapNumber`. Without recursion: a peer's answer may be nested deeper than the stack.
 */
export function mapStrings(
  data: unknown,
  map: (text: string) => string,
  mapNumber: (number: number) => unknown = (number) => number,
): unknown {
  /** Copies that wait to be filled. */
  const pending: (() => void)[] = [];

  function copyOf(value: unknown): unknown {
    if (typeof value === "string") return map(value);
    if (typeof value === "number") return mapNumber(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return copyArray(value);
    const copy: Record<string, unknown> = {};
    pending.push(() => {
      for (const [key, item] of Object.entries(value)) setOwn(copy, map(key), copyOf(item));
    });
    return copy;
  }

  function copyArray(value: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    pending.push(() => {
      for (const item of value) copy.push(copyOf(item));
    });
    return copy;
  }

  const root = copyOf(data);
  for (let fill = pending.pop(); fill !== undefined; fill = pending.pop()) fill();
  return root;
}

/** Assignment to `__proto__` would set the prototype; here it is a key like any other. */
function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== "__proto__") object[key] = value;
  else
    Object.defineProperty(object, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
}
