import * as z from "zod";
import { errorAnswerSchema } from "../../../shared/api/answers.ts";
import { callResultSchema } from "../../../shared/api/call-result-schema.ts";
import {
  severalCallsSchema,
  singleCallSchema,
  type ToolsCallRequest,
  toolsCallRequestSchema,
} from "../../../shared/api/requests.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { errorAnswer } from "../middleware/errors.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { type Call, runCalls } from "../operation/run-calls.ts";
import { operationRoute } from "./operation-route.ts";
import { runSingle } from "./run-single.ts";

const callsAnswerSchema = z
  .object({
    success: z.boolean().meta({ description: "Every call succeeded." }),
    results: z
      .array(z.union([callResultSchema, errorAnswerSchema]))
      .meta({ description: "One answer for each call, in the order of the calls." }),
  })
  .meta({ id: "ToolCallsAnswer" });

export const toolsCall = operationRoute({
  path: "/v1/tools/call",
  operationId: "callTools",
  summary: "Calls one tool, or up to 16 side by side.",
  scope: "call",
  work: "calls",
  without: ["PROMPT_NOT_ALLOWED", "PROMPT_NOT_FOUND", "RESOURCE_NOT_FOUND"],
  request: toolsCallRequestSchema,
  schemaOf,
  response: z.union([callResultSchema, callsAnswerSchema]),
  run: (body, context): Promise<object> =>
    "calls" in body ? runSeveral(body, context) : runSingle(body, callOf(body), context),
});

type Several = Extract<ToolsCallRequest, { calls: unknown }>;
type OneCall = Several["calls"][number];

/** One of the two shapes, so that issues name the fields of the one that was meant. */
function schemaOf(body: unknown): z.ZodType<ToolsCallRequest> {
  const several = typeof body === "object" && body !== null && Object.hasOwn(body, "calls");
  return several ? severalCallsSchema : singleCallSchema;
}

async function runSeveral(body: Several, context: OperationContext) {
  const calls = body.calls.map(callOf);
  const outcomes = await runCalls({ fields: body, calls, options: body.options }, context);
  const results = outcomes.map((outcome) =>
    outcome instanceof GatewayError ? errorAnswer(outcome, context.requestId) : outcome,
  );
  return { success: results.every(({ success }) => success), results };
}

function callOf({ server, tool, ...call }: OneCall): Call {
  return {
    server,
    target: { kind: "tool", name: tool, arguments: call.arguments },
    input: { inputResponses: call.input_responses, requestState: call.request_state },
  };
}
