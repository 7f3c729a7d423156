/** Whose host it is: what a tenant's requests brought never shares one with what the operator wrote. */
export interface Instance {
  readonly tenant: string;
  readonly submitted: boolean;
}

/**
 * The name of an instance's Durable Object: HMAC-SHA-256 of the tenant in base64url, and
 * `:submitted` where it runs what requests brought.
 */
export async function instanceName(
  { tenant, submitted }: Instance,
  secret: string,
): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, [
    "sign",
  ]);
  const digest = await crypto.subtle.sign("HMAC", key, encoder.encode(tenant));
  const text = btoa(String.fromCharCode(...new Uint8Array(digest)));
  const name = text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return submitted ? `${name}:submitted` : name;
}
