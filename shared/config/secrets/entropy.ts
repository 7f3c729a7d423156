/** Shannon entropy of a text in bits a character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const char of value) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}

/** One unbroken word, long and mixed enough to be a generated key. UUIDs name things more often than they open them. */
export function looksGenerated(value: string): boolean {
  if (
    value.length < 24 ||
    value.length > 512 ||
    /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)
  )
    return false;
  if (/^[0-9a-f]+$/i.test(value))
    return value.length >= 32 && /\d/.test(value) && /[a-f]/i.test(value) && entropy(value) > 2.8;
  if (
    !/^[A-Za-z0-9+/_=.-]+$/.test(value) ||
    !/\d/.test(value) ||
    !/[a-z]/.test(value) ||
    !/[A-Z]/.test(value)
  )
    return false;
  return !/[/.]/.test(value) && entropy(value) > 3.8;
}
