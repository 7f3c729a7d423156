/** A part of a path that may be a key: some services hand out URLs that open by themselves. */
const keyLike = /^(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_~.%-]{16,}$/;

/**
 * A server's address for messages: origin and path. Never the query, which may hold secrets; parts
 * of the path that look like a key are shown as `…`.
 */
export function shownUrl({ origin, pathname }: Pick<URL, "origin" | "pathname">): string {
  if (pathname === "/") return origin;
  const parts = pathname.split("/").map((part) => (keyLike.test(part) ? "…" : part));
  return `${origin}${parts.join("/")}`;
}
