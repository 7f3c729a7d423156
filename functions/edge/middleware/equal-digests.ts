/**
 * Compares two hex digests of equal length without stopping at the first difference: the time
 * tells a caller nothing of how near a guess was.
 */
export function equalDigests(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}
