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
  const date = /^[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1_000));
}

/** The two runtimes' types differ in what a body's chunks are; they are bytes in both. */
export function bodyOf(response: Response): ReadableStream<Uint8Array> | null {
  return response.body as ReadableStream<Uint8Array> | null;
}

/** Lets go of a body that nobody reads. */
export async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}
