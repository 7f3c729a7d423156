import { createMiddleware } from "hono/factory";
import type { AppEnv, Clock } from "../context.ts";

/** Tells the milliseconds of every stage, and of the whole, in the `server-timing` header. */
export function serverTiming(clock: Clock) {
  return createMiddleware<AppEnv>(async function serverTimingMiddleware(c, next) {
    const startedAt = clock();
    await next();
    const stages = [...c.get("timings"), ["total", clock() - startedAt] as const];
    const told = stages.map(([name, ms]) => `${name};dur=${ms}`).join(", ");
    c.res.headers.set("server-timing", told);
  });
}
