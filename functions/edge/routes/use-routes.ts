import {
  completionResultSchema,
  promptResultSchema,
  resourceResultSchema,
} from "../../../shared/api/call-result-schema.ts";
import {
  completionRequestSchema,
  promptRequestSchema,
  resourceRequestSchema,
} from "../../../shared/api/requests.ts";
import { operationRoute } from "./operation-route.ts";
import type { Route } from "./route.ts";
import { runSingle } from "./run-single.ts";

const ofTools = ["TOOL_NOT_ALLOWED", "TOOL_NOT_FOUND"] as const;
const ofPrompts = ["PROMPT_NOT_ALLOWED", "PROMPT_NOT_FOUND"] as const;

const promptsGet = operationRoute({
  path: "/v1/prompts/get",
  operationId: "getPrompt",
  summary: "Expands a prompt into messages.",
  scope: "call",
  work: "calls",
  without: [...ofTools, "RESOURCE_NOT_FOUND"],
  request: promptRequestSchema,
  response: promptResultSchema,
  run: (body, context) => {
    const target = { kind: "prompt", name: body.prompt, arguments: body.arguments } as const;
    return runSingle(body, { server: body.server, target, input: inputOf(body) }, context);
  },
});

const resourcesRead = operationRoute({
  path: "/v1/resources/read",
  operationId: "readResource",
  summary: "Reads a resource by its URI.",
  scope: "call",
  work: "calls",
  without: [...ofTools, ...ofPrompts],
  request: resourceRequestSchema,
  response: resourceResultSchema,
  run: (body, context) => {
    const target = { kind: "resource", uri: body.uri } as const;
    return runSingle(body, { server: body.server, target, input: inputOf(body) }, context);
  },
});

const complete = operationRoute({
  path: "/v1/complete",
  operationId: "complete",
  summary: "Completes an argument of a prompt, or a variable of a resource template.",
  scope: "call",
  work: "calls",
  without: [...ofTools, "RESOURCE_NOT_FOUND", "REQUEST_STATE_INVALID", "REQUEST_STATE_EXPIRED"],
  request: completionRequestSchema,
  response: completionResultSchema,
  run: (body, context) => {
    const { server, ref, argument } = body;
    const given = body.context === undefined ? {} : { context: body.context };
    const target = { kind: "completion", ref, argument, ...given } as const;
    return runSingle(body, { server, target, input: {} }, context);
  },
});

/** Routes that use what the catalogue lists, tools excepted. */
export const useRoutes: readonly Route[] = [promptsGet, resourcesRead, complete];

interface ContinuedBody {
  readonly input_responses?: Record<string, unknown> | undefined;
  readonly request_state?: string | undefined;
}

function inputOf({ input_responses, request_state }: ContinuedBody) {
  return { inputResponses: input_responses, requestState: request_state };
}
