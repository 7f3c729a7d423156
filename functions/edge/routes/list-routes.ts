import type * as z from "zod";
import {
  promptListSchema,
  resourceListSchema,
  resourceTemplateListSchema,
  toolListSchema,
} from "../../../shared/api/list-answers.ts";
import { listRequestSchema } from "../../../shared/api/list-requests.ts";
import type { AppContext } from "../context.ts";
import type { CatalogueMember } from "../operation/catalogue-kinds.ts";
import { type CatalogueAnswer, listCatalogue } from "../operation/list-catalogue.ts";
import { matchesEtag } from "./matches-etag.ts";
import { operationRoute } from "./operation-route.ts";
import type { Route } from "./route.ts";

/** The catalogue's routes. */
export const listRoutes: readonly Route[] = [
  listRoute("tools", "/v1/tools/list", "listTools", toolListSchema),
  listRoute("prompts", "/v1/prompts/list", "listPrompts", promptListSchema),
  listRoute("resources", "/v1/resources/list", "listResources", resourceListSchema),
  listRoute(
    "resource_templates",
    "/v1/resources/templates/list",
    "listResourceTemplates",
    resourceTemplateListSchema,
  ),
];

function listRoute(
  member: CatalogueMember,
  path: string,
  operationId: string,
  response: z.ZodType,
): Route {
  return operationRoute({
    path,
    operationId,
    summary: `Lists the ${member.replace("_", " ")} of every server in scope.`,
    scope: "discover",
    work: "lists",
    request: listRequestSchema,
    response,
    run: (body, context) => listCatalogue(member, body, context),
    conditional: true,
    respond: (c, answer) => answerCatalogue(c, answer),
  });
}

/** With the catalogue's hash as its ETag: a client that has it already is told no more than that. */
function answerCatalogue(c: AppContext, answer: CatalogueAnswer): Response {
  const etag = `"${answer.catalogue_hash}"`;
  c.header("etag", etag);
  // A server that failed is news, whatever the others' entries are.
  const complete = answer.servers.every(({ ok }) => ok);
  if (complete && matchesEtag(c.req.header("if-none-match"), etag)) return c.body(null, 304);
  return c.json(answer);
}
