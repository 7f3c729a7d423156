import type { Authenticate } from "../middleware/auth.ts";
import { convert } from "./convert.ts";
import { sessionEnd } from "./end-session.ts";
import { health, ready } from "./health.ts";
import { listRoutes } from "./list-routes.ts";
import type { Route } from "./route.ts";
import { schemas } from "./schemas.ts";
import { toolsCall } from "./tools-call.ts";
import { useRoutes } from "./use-routes.ts";
import { validate } from "./validate.ts";

/** Every route of the edge. */
export function routeTable(authenticate: Authenticate): readonly Route[] {
  return [
    health,
    ready(authenticate),
    validate,
    convert,
    ...listRoutes,
    toolsCall,
    ...useRoutes,
    sessionEnd,
    ...schemas,
  ];
}
