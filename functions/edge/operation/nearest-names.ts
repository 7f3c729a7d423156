import { suggest } from "../../../shared/config/server/suggest.ts";

const most = 3;
/** A shorter word stands in too many names. */
const shortestPart = 3;

/** Up to three of `names` that `word` was most likely meant to be: slips of the pen, then parts of names. */
export function nearestNames(word: string, names: readonly string[]): string[] {
  const nearest: string[] = [];
  const left = new Set(names);
  const add = (name: string): void => {
    nearest.push(name);
    left.delete(name);
  };
  for (let name = suggest(word, left); name !== null; name = suggest(word, left)) {
    add(name);
    if (nearest.length === most) return nearest;
  }
  const wanted = fold(word);
  for (const name of left) {
    if (nearest.length < most && isPart(wanted, fold(name))) nearest.push(name);
  }
  return nearest;
}

function isPart(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return short.length >= shortestPart && long.includes(short);
}

function fold(name: string): string {
  return name
    .slice(0, 64)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
