import { toolListSchema } from "../../../shared/api/answers.ts";
import { toolsListRequestSchema } from "../../../shared/api/requests.ts";
import { listTools } from "../operation/list-tools.ts";
import { readJson } from "./read-body.ts";
import { requestOperation } from "./request-operation.ts";
import type { Route } from "./route.ts";

export const toolsList: Route = {
  method: "POST",
  path: "/v1/tools/list",
  operationId: "listTools",
  summary: "Lists the tools of every server in scope.",
  scope: "discover",
  request: { "application/json": toolsListRequestSchema },
  response: { "application/json": toolListSchema },
  handle: async (c, deps) => {
    const body = await readJson(c, deps.settings.maxBodyBytes, () => toolsListRequestSchema);
    return c.json(await listTools(body, requestOperation(c, deps, body.options.subject)));
  },
};
