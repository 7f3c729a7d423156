import { base64url } from "jose";
import type { SealKeys } from "./seal-keys.ts";

/** What a sealed value is bound to: it opens for exactly these, or not at all. */
export interface SealContext {
  /** What kind of value it is; one kind never opens as another. */
  readonly purpose: "request_state" | "session";
  readonly tenant: string;
  /** The end user or agent on whose behalf the value was made. */
  readonly subject: string;
  /** Id of the API key that asked for it. */
  readonly keyId: string;
  /** Hash of the server's final origin and path, or of its launch; never its name. */
  readonly server: string;
}

export type Unsealed =
  | { readonly ok: true; readonly data: unknown }
  | { readonly ok: false; readonly reason: "foreign" | "expired" };

const version = "gws1";
const ivBytes = 12;

/**
 * Seals JSON data into URL-safe text that only Gangway can read or make: AES-256-GCM (NIST SP
 * 800-38D) with a random 96-bit IV, `context` as associated data, the expiry inside. A sealed
 * value can be used again until it expires; what must happen once needs its own protection.
 */
export async function seal(
  keys: SealKeys,
  context: SealContext,
  data: unknown,
  expiresAtMs: number,
): Promise<string> {
  const { id, key } = keys.current;
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const plain = new TextEncoder().encode(JSON.stringify({ exp: expiresAtMs, data }));
  const sealed = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv, additionalData: associatedData(context) },
    key,
    plain,
  );
  return `${version}.${id}.${base64url.encode(iv)}.${base64url.encode(new Uint8Array(sealed))}`;
}

/** Opens a sealed value; `foreign` covers everything that was not sealed for this context. */
export async function unseal(
  keys: SealKeys,
  context: SealContext,
  text: string,
  nowMs: number,
): Promise<Unsealed> {
  const plain = await decrypt(keys, context, text);
  if (plain === null) return { ok: false, reason: "foreign" };
  // Only `seal` can have made the text, so its shape is known.
  const { exp, data } = JSON.parse(plain) as { exp: number; data: unknown };
  return nowMs < exp ? { ok: true, data } : { ok: false, reason: "expired" };
}

async function decrypt(keys: SealKeys, context: SealContext, text: string): Promise<string | null> {
  const [mark, id, iv = "", sealed = "", ...rest] = text.split(".");
  const key = keys.all.find((candidate) => candidate.id === id)?.key;
  if (mark !== version || rest.length > 0 || key === undefined) return null;
  try {
    const algorithm = {
      name: "AES-GCM",
      iv: new Uint8Array(base64url.decode(iv)),
      additionalData: associatedData(context),
    };
    const bytes = new Uint8Array(base64url.decode(sealed));
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes));
  } catch {
    return null; // no base64url, or the tag does not fit: altered, or sealed for another context
  }
}

/** An array has one JSON form, so that no two contexts share their bytes. */
function associatedData({ purpose, tenant, subject, keyId, server }: SealContext) {
  return new TextEncoder().encode(
    JSON.stringify([version, purpose, tenant, subject, keyId, server]),
  );
}
