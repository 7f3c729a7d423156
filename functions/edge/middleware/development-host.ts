import { createMiddleware } from "hono/factory";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { AppEnv } from "../context.ts";

const loopbackHosts = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Holds a development deployment to loopback Hosts: its key is known on the machine, and a web
 * page that rebinds its own name to 127.0.0.1 must not reach it.
 */
export function developmentHost(development: boolean) {
  return createMiddleware<AppEnv>(async function developmentHostMiddleware(c, next) {
    if (development && !loopbackHosts.has(new URL(c.req.url).hostname)) {
      throw new GatewayError(
        "HOST_NOT_ALLOWED",
        "This is a development deployment: it answers requests to 127.0.0.1 and localhost only.",
      );
    }
    await next();
  });
}
