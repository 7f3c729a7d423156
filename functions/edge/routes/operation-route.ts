import type * as z from "zod";
import type { Scope } from "../../../shared/api/scopes.ts";
import { streamEventSchema } from "../../../shared/api/stream-events.ts";
import type { AppContext } from "../context.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { answerOperation } from "./answer-operation.ts";
import { readJson } from "./read-body.ts";
import type { SurroundingOptions } from "./request-operation.ts";
import type { Route } from "./route.ts";
import type { RouteWork } from "./route-errors.ts";
import { eventStreamType } from "./stream-answer.ts";

export interface OperationRoute<Request, Body extends object> {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly scope: Scope;
  readonly work: RouteWork;
  readonly without?: Route["without"];
  readonly request: z.ZodType<Request>;
  /** The schema to check a body by, where `request` is a choice between several. */
  readonly schemaOf?: (body: unknown) => z.ZodType<Request>;
  readonly response: z.ZodType;
  /** The body of the answer. */
  readonly run: (body: Request, context: OperationContext) => Promise<Body>;
  readonly conditional?: boolean;
  /** Makes the answer that is no stream. Default: its JSON. */
  readonly respond?: (c: AppContext, body: Body) => Response;
}

/** A route that runs an operation on servers, answered as JSON or as a stream. */
export function operationRoute<
  Request extends { readonly options: SurroundingOptions },
  Body extends object,
>(route: OperationRoute<Request, Body>): Route {
  const { path, operationId, summary, scope, request, response, run, conditional = false } = route;
  const { work, without = [] } = route;
  const { schemaOf = () => request, respond = (c, body) => c.json(body) } = route;
  return {
    method: "POST",
    path,
    operationId,
    summary,
    scope,
    work,
    without,
    request: { "application/json": request },
    conditional,
    response: { "application/json": response, [eventStreamType]: streamEventSchema },
    handle: async (c, deps) => {
      const body = await readJson(c, deps.settings.maxBodyBytes, schemaOf);
      const operate = (context: OperationContext) => run(body, context);
      return answerOperation(c, deps, { options: body.options, work: operate, respond });
    },
  };
}
