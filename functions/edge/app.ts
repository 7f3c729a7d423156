import { Hono } from "hono/tiny";
import { GatewayError } from "../../shared/errors/gateway-error.ts";
import type { AppContext, AppEnv, Deps } from "./context.ts";
import { apiKeys } from "./middleware/api-keys.ts";
import { auth, authenticator } from "./middleware/auth.ts";
import { crossOrigin } from "./middleware/cross-origin.ts";
import { developmentHost } from "./middleware/development-host.ts";
import { answerError } from "./middleware/errors.ts";
import { lazyTokens } from "./middleware/lazy-tokens.ts";
import { requestId } from "./middleware/request-id.ts";
import { serverTiming } from "./middleware/server-timing.ts";
import { openApiDocument } from "./routes/openapi.ts";
import { routeTable } from "./routes/table.ts";

/** The edge as a Hono app: middleware and the route table, everything else passed in. */
export function createApp(deps: Deps): Hono<AppEnv> {
  const { deployment, development, tenants } = deps.settings;
  const authenticate = authenticator({
    keys: apiKeys(tenants),
    tokens: lazyTokens(deps),
    revocations: deps.revocations,
    tenants,
    clock: deps.clock,
  });
  const routes = routeTable(authenticate);
  const openApi = openApiDocument(routes);
  const app = new Hono<AppEnv>();

  app.use(requestId());
  app.use(serverTiming(deps.clock));
  app.use(developmentHost(development));
  app.use(crossOrigin(deployment.cors.origins));
  for (const route of routes) {
    if (route.scope !== null) app.on(route.method, [route.path], auth(authenticate, route.scope));
    app.on(route.method, [route.path], (c) => route.handle(c, deps));
  }
  app.get("/openapi.json", (c) => c.json(openApi));
  app.notFound((c) => answerError(notFound(c, routes), c));
  app.onError(answerError);
  return app;
}

function notFound(
  c: AppContext,
  routes: readonly { method: string; path: string }[],
): GatewayError {
  const { path } = c.req;
  const methods = routes.filter((route) => route.path === path).map(({ method }) => method);
  if (methods.length === 0) {
    return new GatewayError("ROUTE_NOT_FOUND", `There is no route ${path.slice(0, 128)}.`);
  }
  c.header("allow", methods.join(", "));
  return new GatewayError("METHOD_NOT_ALLOWED", `${path} takes ${methods.join(", ")}.`);
}
