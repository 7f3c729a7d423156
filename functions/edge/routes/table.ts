import type { Authenticate } from "../middleware/auth.ts";
import { convert } from "./convert.ts";
import { health, ready } from "./health.ts";
import type { Route } from "./route.ts";
import { schemas } from "./schemas.ts";
import { toolsCall } from "./tools-call.ts";
import { toolsList } from "./tools-list.ts";
import { validate } from "./validate.ts";

/** Every route of the edge. */
export function routeTable(authenticate: Authenticate): readonly Route[] {
  return [health, ready(authenticate), validate, convert, toolsList, toolsCall, ...schemas];
}
