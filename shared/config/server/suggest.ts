/** The candidate that `word` was most likely meant to be, or null. Case and separators do not count. */
export function suggest(word: string, candidates: Iterable<string>): string | null {
  const wanted = fold(word);
  const allowed = wanted.length <= 4 ? 1 : 2;
  let best: { candidate: string; distance: number } | null = null;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, fold(candidate), allowed);
    if (distance <= allowed && distance < (best?.distance ?? Infinity))
      best = { candidate, distance };
  }
  return best?.candidate ?? null;
}

function fold(word: string): string {
  return word.slice(0, 64).toLowerCase().replace(/[_-]/g, "");
}

/** Edits (insert, delete, replace, swap of neighbours) from a to b; anything above `max` is `max + 1`. */
function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          cell(previous, j) + 1,
          cell(row, j - 1) + 1,
          cell(previous, j - 1) + (same ? 0 : 1),
          swapped ? cell(before, j - 2) + 1 : Infinity,
        ),
      );
    }
    before = previous;
    previous = row;
  }
  return Math.min(cell(previous, b.length), max + 1);
}

function cell(row: readonly number[], index: number): number {
  return row[index] ?? Infinity;
}
