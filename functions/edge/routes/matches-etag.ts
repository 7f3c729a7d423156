/**
 * Whether a client that holds `etag`'s representation needs no other (RFC 9110 §13.1.2): `header`
 * is its If-None-Match, compared weakly.
 */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  return header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
