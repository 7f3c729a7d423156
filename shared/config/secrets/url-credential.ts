const userInfo = /\b[a-z][a-z0-9+.-]{1,20}:\/\/([^\s/?#@:]{0,256}):([^\s/?#@]{1,512})@/i;
const query = /[?&](?:amp;)?([A-Za-z0-9_.-]{2,40})=([^&#\s]{1,2048})/g;
const secretParameter =
  /(?:^|[_.-])(?:api[_-]?key|apikey|key|token|access[_-]?token|auth|secret|password|passwd|sig|signature|code)$/i;

/** The credential in a URL's user part or query, wherever the URL stands in a text; null for none. */
export function urlCredential(
  text: string,
): { readonly what: string; readonly value: string } | null {
  if (!text.includes("://")) return null;
  const password = userInfo.exec(text)?.[2];
  if (password !== undefined) return { what: "a password before the host", value: password };
  for (const [, name, value] of text.matchAll(query)) {
    if (name !== undefined && value !== undefined && secretParameter.test(name))
      return { what: `the query's '${name}'`, value };
  }
  return null;
}
