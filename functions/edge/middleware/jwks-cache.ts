import type { JSONWebKeySet } from "jose";
import * as z from "zod";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { GuardedFetch } from "../upstream/guarded-fetch.ts";
import { readBody } from "../upstream/read-body.ts";

/** The public keys of token issuers. */
export interface JwksCache {
  /**
   * The keys at a URL, from the cache where they are fresh. `refresh` asks for newer ones, for a
   * token that names a key which is not among them.
   * @throws GatewayError NOT_READY when there are none and the issuer does not give them
   */
  get(url: string, refresh: boolean): Promise<JSONWebKeySet>;
}

interface Entry {
  readonly keys: JSONWebKeySet;
  readonly fetchedAt: number;
}

/** Keys are asked for again after this time. */
const freshMs = 600_000;
/** Least time between two questions: tokens with made-up key ids cost an issuer nothing more. */
const pauseMs = 30_000;
/** Keys of an issuer that no longer answers count for this long. */
const staleMs = 3_600_000;
const timeoutMs = 5_000;
const maxBytes = 256 * 1024;

const jwksSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) });

/** One cache an isolate. No promise is shared: a request may not wait for another's I/O. */
export function createJwksCache(parts: {
  readonly fetch: GuardedFetch;
  readonly clock: () => number;
}): JwksCache {
  const entries = new Map<string, Entry>();
  const askedAt = new Map<string, number>();

  async function ask(url: string): Promise<Entry | undefined> {
    const known = entries.get(url);
    // With no keys at all, requests at the same time each ask: none of them could go on else.
    if (known !== undefined) askedAt.set(url, parts.clock());
    try {
      const keys = await fetchJwks(url, parts.fetch);
      const entry = { keys, fetchedAt: parts.clock() };
      entries.set(url, entry);
      return entry;
    } catch {
      return known; // an issuer that does not answer: what is known counts, for a time
    } finally {
      askedAt.set(url, parts.clock());
    }
  }

  return {
    async get(url, refresh) {
      const now = parts.clock();
      const known = entries.get(url);
      const isFresh = known !== undefined && now - known.fetchedAt < freshMs;
      const isPaused = now - (askedAt.get(url) ?? Number.NEGATIVE_INFINITY) < pauseMs;
      const entry = (isFresh && !refresh) || isPaused ? known : await ask(url);
      if (entry !== undefined && now - entry.fetchedAt < staleMs) return entry.keys;
      throw new GatewayError("NOT_READY", "The keys of the token's issuer cannot be read.", {
        retryAfterS: pauseMs / 1000,
      });
    },
  };
}

async function fetchJwks(url: string, fetch: GuardedFetch): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { headers: { accept: "application/json" }, signal });
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (!response.ok || body === null) {
    await body?.cancel();
    throw new GatewayError("NOT_READY", `The issuer's keys were answered by ${response.status}.`);
  }
  const decoder = new TextDecoder();
  let text = "";
  const limits = { maxMessageBytes: maxBytes, silenceMs: timeoutMs, target: "the token's issuer" };
  for await (const chunk of readBody(body, maxBytes, limits, signal)) {
    text += decoder.decode(chunk, { stream: true });
  }
  return jwksSchema.parse(JSON.parse(text));
}
