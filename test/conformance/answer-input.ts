import { isRecord } from "./gateway-api.ts";
import { sampleObject } from "./sample-value.ts";

/** Answers the questions of an `input_required` result, as the end user behind an agent might. */
export function answerInputs(requests: unknown): Record<string, unknown> {
  if (!isRecord(requests)) throw new TypeError("input_requests is no object");
  return Object.fromEntries(
    Object.entries(requests).map(([key, request]) => [key, answerInput(request)]),
  );
}

function answerInput(request: unknown): unknown {
  const { method, params } = isRecord(request) ? request : {};
  switch (method) {
    case "elicitation/create":
      return { action: "accept", content: elicited(params) };
    case "sampling/createMessage":
      return { role: "assistant", model: "none", content: { type: "text", text: "sample" } };
    case "roots/list":
      return { roots: [] };
    default:
      throw new TypeError(`the server asks for ${String(method)}`);
  }
}

function elicited(params: unknown): Record<string, unknown> {
  const schema = isRecord(params) ? params["requestedSchema"] : undefined;
  return isRecord(schema) ? sampleObject(schema, true) : {};
}
