import * as z from "zod";
import { endSessionRequestSchema } from "../../../shared/api/requests.ts";
import type { AppContext, Deps } from "../context.ts";
import { endSession } from "../operation/end-session.ts";
import { readJson, readText } from "./read-body.ts";
import { requestOperation } from "./request-operation.ts";
import type { Route } from "./route.ts";

const endedSchema = z
  .object({
    success: z.literal(true),
    ended: z.boolean().meta({
      description:
        "False: the server lets no client end a session, and forgets it by itself. A session that was gone already counts as ended.",
    }),
    metadata: z.object({ request_id: z.string() }),
  })
  .meta({ id: "SessionEnded" });

/** Its body is needed only for servers of a submitted config, and for another subject. */
export const sessionEnd: Route = {
  method: "DELETE",
  path: "/v1/sessions/:handle",
  operationId: "endSession",
  summary: "Ends a session that was kept; the same answer however often it is asked.",
  scope: "call",
  work: "ends",
  request: { "application/json": endSessionRequestSchema },
  requestOptional: true,
  response: { "application/json": endedSchema },
  handle: async (c, deps) => {
    const body = await readOptional(c, deps);
    const context = requestOperation(c, deps, body.options);
    const ended = await endSession(c.req.param("handle") ?? "", body, context);
    return c.json({ success: true, ended, metadata: { request_id: context.requestId } });
  },
};

async function readOptional(c: AppContext, { settings }: Deps) {
  const typed = c.req.header("content-type") !== undefined;
  // A proxy may turn "no body" into an empty one.
  if (!typed && (await readText(c, settings.maxBodyBytes)) === "") {
    return endSessionRequestSchema.parse({});
  }
  return readJson(c, settings.maxBodyBytes, () => endSessionRequestSchema);
}
