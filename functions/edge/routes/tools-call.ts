import { z } from "zod";
import { callResultSchema } from "../../../shared/api/call-result-schema.ts";
import { errorAnswerSchema } from "../../../shared/api/answers.ts";
import {
  severalCallsSchema,
  singleCallSchema,
  type ToolsCallRequest,
  toolsCallRequestSchema,
} from "../../../shared/api/requests.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { AppContext } from "../context.ts";
import { errorAnswer } from "../middleware/errors.ts";
import { type CallOutcome, callTools, type ToolCalls } from "../operation/call-tools.ts";
import { readJson } from "./read-body.ts";
import { requestOperation } from "./request-operation.ts";
import type { Route } from "./route.ts";

const callsAnswerSchema = z
  .object({
    success: z.boolean().meta({ description: "Every call succeeded." }),
    results: z
      .array(z.union([callResultSchema, errorAnswerSchema]))
      .meta({ description: "One answer for each call, in the order of the calls." }),
  })
  .meta({ id: "ToolCallsAnswer" });

export const toolsCall: Route = {
  method: "POST",
  path: "/v1/tools/call",
  operationId: "callTools",
  summary: "Calls one tool, or up to 16 side by side.",
  scope: "call",
  request: { "application/json": toolsCallRequestSchema },
  response: { "application/json": z.union([callResultSchema, callsAnswerSchema]) },
  handle: async (c, deps) => {
    const body = await readJson(c, deps.settings.maxBodyBytes, schemaOf);
    const operation = requestOperation(c, deps, body.options.subject);
    const outcomes = await callTools(toolCalls(body), operation);
    return "calls" in body ? answerSeveral(c, outcomes) : answerOne(c, outcomes);
  },
};

/** One of the two shapes, so that issues name the fields of the one that was meant. */
function schemaOf(body: unknown): z.ZodType<ToolsCallRequest> {
  const several = typeof body === "object" && body !== null && Object.hasOwn(body, "calls");
  return several ? severalCallsSchema : singleCallSchema;
}

function toolCalls(body: ToolsCallRequest): ToolCalls {
  const { options } = body;
  if ("calls" in body) return { fields: body, calls: body.calls, options };
  return {
    fields: body,
    calls: [{ server: body.server, tool: body.tool, arguments: body.arguments }],
    options,
  };
}

function answerOne(c: AppContext, [outcome]: readonly CallOutcome[]): Response {
  if (outcome === undefined || outcome instanceof GatewayError) {
    throw outcome ?? new GatewayError("INTERNAL", "A call had no outcome.");
  }
  return c.json(outcome);
}

function answerSeveral(c: AppContext, outcomes: readonly CallOutcome[]): Response {
  const results = outcomes.map((outcome) =>
    outcome instanceof GatewayError ? errorAnswer(outcome, c.get("requestId")) : outcome,
  );
  return c.json({ success: results.every(({ success }) => success), results });
}
