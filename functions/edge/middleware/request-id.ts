import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";

const acceptable = /^[A-Za-z0-9._-]{8,64}$/;

/** Gives every request an id: the caller's own where it is harmless text, else a new one. */
export function requestId() {
  return createMiddleware<AppEnv>(async function requestIdMiddleware(c, next) {
    const given = c.req.header("x-request-id") ?? "";
    const id = acceptable.test(given) ? given : crypto.randomUUID();
    c.set("requestId", id);
    c.set("timings", new Map());
    await next();
    // Hono's `c.header` would make a new response by now.
    c.res.headers.set("x-request-id", id);
  });
}
