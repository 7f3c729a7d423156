import type { JsonObject } from "../../../shared/mcp/json.ts";
import type { QuestionMethod } from "./answerable.ts";

/** A JSON-RPC error that a server's request is answered with. */
export class RefusedQuestion extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.name = "RefusedQuestion";
    this.code = code;
  }
}

/** Codes of https://modelcontextprotocol.io/specification/2025-11-25/client/sampling and /roots. */
const userRejected = -1;
const methodNotFound = -32_601;

/**
 * How the protocol says that a question gets no answer: an elicitation is cancelled, which is
 * what it is called when the user was not asked; the others are refused by an error.
 * @throws RefusedQuestion
 */
export function refuseQuestion(method: QuestionMethod): JsonObject {
  if (method === "elicitation/create") return { action: "cancel" };
  if (method === "roots/list") throw new RefusedQuestion(methodNotFound, "Roots not supported");
  throw new RefusedQuestion(userRejected, "Nobody is there to answer the sampling request");
}

export function unknownQuestion(): RefusedQuestion {
  return new RefusedQuestion(methodNotFound, "Method not found");
}
