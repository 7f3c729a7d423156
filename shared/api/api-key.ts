/** The parts of `gw_<env>_<keyid>_<random>_<checksum>` that may be told. */
export interface ApiKeyParts {
  readonly keyId: string;
}

const encoder = new TextEncoder();
const keyPattern = /^(gw_[a-z]{2,12}_([a-z0-9]{4,16})_[0-9a-f]{64})_([0-9a-f]{8})$/;

/**
 * Reads an API key: environment, key id, 256 random bits in hex, and the first 8 hex digits of
 * the SHA-256 of all before them, which finds typing errors without a look-up. Null when the
 * text is no key.
 */
export async function parseApiKey(text: string): Promise<ApiKeyParts | null> {
  const match = keyPattern.exec(text);
  const [, body, keyId, checksum] = match ?? [];
  if (body === undefined || keyId === undefined) return null;
  return (await sha256Hex(body)).startsWith(checksum ?? "-") ? { keyId } : null;
}

/** A new key for `environment` (2–12 small letters) and `keyId` (4–16 small letters and digits). */
export async function makeApiKey(environment: string, keyId: string): Promise<string> {
  const random = hex(crypto.getRandomValues(new Uint8Array(32)));
  const body = `gw_${environment}_${keyId}_${random}`;
  return `${body}_${(await sha256Hex(body)).slice(0, 8)}`;
}

/** What a deployment file stores of a key: SHA-256 of its whole text, hex. */
export async function sha256Hex(text: string): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text))));
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += hexOfByte[byte] ?? "";
  return text;
}
