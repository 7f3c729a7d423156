import { base64url } from "jose";

/** Node and workerd name the type of a key differently. */
type CipherKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export interface SealKey {
  readonly id: string;
  readonly key: CipherKey;
}

/** The key that seals, and every key that still opens. */
export interface SealKeys {
  readonly current: SealKey;
  readonly all: readonly SealKey[];
}

const entryPattern = /^([a-z0-9]{1,16}):([A-Za-z0-9_-]{43})$/;

/**
 * Reads `id:key` entries separated by commas, the current key first, the previous one after it.
 * A key is 256 random bits in base64url. Null when the text has another form.
 */
export async function readSealKeys(text: string): Promise<SealKeys | null> {
  const entries = readEntries(text);
  if (entries === null) return null;
  const all = await Promise.all(
    entries.map(async ({ id, secret }) => ({ id, key: await importKey(secret) })),
  );
  const [current] = all;
  return current === undefined ? null : { current, all };
}

/** Whether `readSealKeys` can read the text. */
export function isSealKeys(text: string): boolean {
  return readEntries(text) !== null;
}

/** A new entry for `readSealKeys`. */
export function makeSealKey(id: string): string {
  return `${id}:${base64url.encode(crypto.getRandomValues(new Uint8Array(32)))}`;
}

interface Entry {
  readonly id: string;
  readonly secret: string;
}

/** Null when an entry has another form, or two have one id. */
function readEntries(text: string): readonly Entry[] | null {
  const entries: Entry[] = [];
  for (const entry of text.split(",")) {
    const [, id, secret] = entryPattern.exec(entry.trim()) ?? [];
    if (id === undefined || secret === undefined) return null;
    if (entries.some((earlier) => earlier.id === id)) return null;
    entries.push({ id, secret });
  }
  return entries;
}

function importKey(secret: string): Promise<CipherKey> {
  const bytes = new Uint8Array(base64url.decode(secret));
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}
