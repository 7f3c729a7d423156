import * as z from "zod";
import { healthSchema, readySchema } from "../../../shared/api/answers.ts";
import { listRequestSchema } from "../../../shared/api/list-requests.ts";
import type { AppContext, Deps } from "../context.ts";
import type { Authenticate } from "../middleware/auth.ts";
import { requireScope } from "../middleware/require-scope.ts";
import { type CatalogueAnswer, listCatalogue } from "../operation/list-catalogue.ts";
import { load } from "../operation/load.ts";
import { requestOperation } from "./request-operation.ts";
import type { Route } from "./route.ts";

export const health: Route = {
  method: "GET",
  path: "/health",
  operationId: "health",
  summary: "Tells that the edge runs.",
  scope: null,
  response: { "application/json": healthSchema },
  handle: (c) => c.json({ ok: true }),
};

/** `authenticate` is asked only for `?deep=1`: the shallow form needs no key. */
export function ready(authenticate: Authenticate): Route {
  return {
    method: "GET",
    path: "/ready",
    operationId: "ready",
    summary:
      "Tells whether settings and bindings are in order; with ?deep=1 and scope admin, makes one real call.",
    scope: null,
    query: {
      deep: z.literal("1").meta({
        description:
          "Makes a real call: lists the tools of the first configured server. Needs a key of scope admin.",
      }),
    },
    response: { "application/json": readySchema },
    unready: readySchema,
    errors: ["UNAUTHENTICATED", "SCOPE_MISSING", "NOT_READY", "RATE_LIMITED", "BUDGET_EXHAUSTED"],
    handle: async (c, deps) => {
      const { problems, warnings } = deps.settings;
      const shallow = { ready: problems.length === 0, problems, warnings };
      if (c.req.query("deep") !== "1") return c.json(shallow, shallow.ready ? 200 : 503);
      requireScope(await authenticate(c), "admin");
      const servers = await probe(c, deps);
      const isReady = shallow.ready && servers.every(({ ok }) => ok);
      const deep = { ready: isReady, problems, warnings, servers };
      return c.json(deep, deep.ready ? 200 : 503);
    },
  };
}

/** Lists the tools of the caller's first configured server that can be used, whatever was listed before. */
async function probe(c: AppContext, deps: Deps): Promise<CatalogueAnswer["servers"]> {
  const context = requestOperation(c, deps, {});
  const servers = load(listRequestSchema.parse({}), context);
  const first = servers.find(({ config, disabled }) => config !== null && !disabled);
  if (first === undefined) return [];
  const request = listRequestSchema.parse({ servers: [first.name], options: { refresh: true } });
  return (await listCatalogue("tools", request, context)).servers;
}
