/** Where a redirect points: origin and path, since a query may hold a secret. Null without one. */
export function readLocation(response: Response): string | null {
  const location = response.headers.get("location");
  if (location === null) return null;
  const base = URL.canParse(response.url) ? response.url : undefined;
  if (!URL.canParse(location, base)) return null;
  const { origin, pathname } = new URL(location, base);
  return `${origin}${pathname}`;
}

/** Whole seconds that the server asks to wait, from `nowMs` on (RFC 9110 §10.2.3). Null without a wish. */
export function readRetryAfter(response: Response, nowMs: number): number | null {
  const value = response.headers.get("retry-after")?.trim();
  if (value === undefined || value === "") return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1_000));
}
