import type { ClientCapabilities } from "@modelcontextprotocol/client";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";

/** What a server of the legacy era may ask of its client, by the capability that lets it. */
const capabilityOf = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
} as const;
export type QuestionMethod = keyof typeof capabilityOf;

export function isQuestionMethod(method: string): method is QuestionMethod {
  return Object.hasOwn(capabilityOf, method);
}

/** Whether the caller of a run has said that it can answer such a question. */
export function canAnswer({ client_capabilities }: RunRequest, method: QuestionMethod): boolean {
  return client_capabilities?.[capabilityOf[method]] !== undefined;
}

/**
 * What a process of the legacy era is told at its start that its client can answer; null where
 * the server is told with each request, or there is nothing to tell.
 */
export function declaredAtStart(
  request: Pick<RunRequest, "protocol" | "client_capabilities">,
): ClientCapabilities | null {
  if (request.protocol === "2026-07-28") return null;
  const given = request.client_capabilities ?? {};
  const entries = Object.values(capabilityOf).flatMap((name) =>
    given[name] === undefined ? [] : [[name, given[name]] as const],
  );
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
