import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";

/** Headers that a browser's script may read. */
const exposedHeaders = ["x-request-id", "server-timing", "retry-after", "www-authenticate", "etag"];
/** Headers that it may set. */
const allowedHeaders = ["authorization", "content-type", "x-request-id", "if-none-match"];
const corsMaxAgeS = 600;

/**
 * Lets browsers' scripts of `origins` call. A POST that names no origin comes from no script, and
 * no cache keeps its answer: nothing is told there.
 */
export function crossOrigin(origins: readonly string[]) {
  const told = cors({
    origin: [...origins],
    allowHeaders: allowedHeaders,
    exposeHeaders: exposedHeaders,
    maxAge: corsMaxAgeS,
  });
  return createMiddleware<AppEnv>(async function crossOriginMiddleware(c, next) {
    if (c.req.method === "POST" && c.req.header("origin") === undefined) return next();
    return told(c, next);
  });
}
