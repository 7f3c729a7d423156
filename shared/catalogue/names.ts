import { sha256Hex } from "../api/api-key.ts";

const legalName = /^[A-Za-z0-9_.-]+$/;
const legalQualifiedName = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const maxQualifiedLength = 64;
const suffixDigits = 6;

/** `name` can stand as a tool's or prompt's public name as it is: `[A-Za-z0-9_.-]`, not empty. */
export function isLegalName(name: string): boolean {
  return legalName.test(name);
}

/**
 * The public name of every tool (or prompt) of one server, by original name, in the given order.
 * Legal originals keep their names. In others each character outside `[A-Za-z0-9_.-]` becomes
 * `-`; those that then fall together with another name get `-` and the first hex digits of the
 * SHA-256 of their original: six, or as many more sixes as tell them apart.
 */
export async function publicNames(
  originals: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const distinct = [...new Set(originals)];
  const uses = Map.groupBy(distinct, replaceIllegal);
  const clashes = (original: string): boolean => {
    const plain = replaceIllegal(original);
    return plain === "" || (plain !== original && (uses.get(plain)?.length ?? 0) > 1);
  };
  const names = new Map(distinct.map((original) => [original, replaceIllegal(original)]));
  const taken = new Set(distinct.filter((original) => !clashes(original)).map(replaceIllegal));
  // Sorted, so that the outcome does not depend on the order in which the server lists.
  for (const original of distinct.filter(clashes).toSorted()) {
    const name = await firstFreeName(original, taken);
    taken.add(name);
    names.set(original, name);
  }
  return names;
}

/**
 * `server__tool` for places that take one flat namespace: `[A-Za-z0-9_-]`, at most 64 characters,
 * a letter or `_` first. A pure function of its two arguments, so no other server or tool can
 * change it: whatever does not fit is replaced or cut, and then six hex digits of the SHA-256 of
 * both arguments are appended.
 */
export async function qualifiedName(server: string, original: string): Promise<string> {
  const joined = `${server}__${original}`;
  if (isLegalQualifiedName(joined) && separatesUniquely(server)) return joined;
  const replaced = joined.replace(/[^A-Za-z0-9_-]/gu, "-").replace(/^(?![A-Za-z_])/, "_");
  const suffix = `-${(await sha256Hex(JSON.stringify([server, original]))).slice(0, suffixDigits)}`;
  return replaced.slice(0, maxQualifiedLength - suffix.length) + suffix;
}

/**
 * The original that `requested` means among a server's tools (or prompts): an original name, else
 * a public name, else a qualified one; `undefined` where it is none of them.
 */
export async function findOriginal(
  requested: string,
  server: string,
  originals: readonly string[],
): Promise<string | undefined> {
  if (originals.includes(requested)) return requested;
  for (const [original, name] of await publicNames(originals)) {
    if (name === requested) return original;
  }
  const qualified = await Promise.all(originals.map((each) => qualifiedName(server, each)));
  return originals[qualified.indexOf(requested)];
}

function replaceIllegal(original: string): string {
  return original.replace(/[^A-Za-z0-9_.-]/gu, "-");
}

async function firstFreeName(original: string, taken: ReadonlySet<string>): Promise<string> {
  const digest = await sha256Hex(original);
  let digits = suffixDigits;
  const name = (): string => `${replaceIllegal(original)}-${firstDigits(digest, digits)}`;
  while (taken.has(name())) digits += suffixDigits;
  return name();
}

/** Begins anew after the last digit, so that a server cannot take every free name. */
function firstDigits(digest: string, count: number): string {
  return digest.repeat(Math.ceil(count / digest.length)).slice(0, count);
}

function isLegalQualifiedName(name: string): boolean {
  return name.length <= maxQualifiedLength && legalQualifiedName.test(name);
}

/** With any other server name, `a_` and tool `b` would read like `a` and tool `_b`. */
function separatesUniquely(server: string): boolean {
  return !server.endsWith("_") && !server.includes("__");
}
