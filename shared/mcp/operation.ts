import * as z from "zod";

const anyObject = z.record(z.string(), z.unknown());
const texts = z.record(z.string(), z.string());

/** What continues an operation whose server has asked for input (MCP 2026-07-28, "Multi round-trip requests"). */
const continuation = {
  /** The caller's answers, by the keys of the server's requests. */
  inputResponses: anyObject.optional(),
  /** The server's own state, exactly as it gave it. */
  requestState: z.string().optional(),
};

const reference = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("ref/prompt"), name: z.string() }),
  z.looseObject({ type: z.literal("ref/resource"), uri: z.string() }),
]);

/**
 * The operations that a server is asked for, with their MCP method names and params. Edge and host
 * share this model. Lists take no cursor: they are answered whole.
 */
export const operationSchema = z.discriminatedUnion("method", [
  z.looseObject({ method: z.literal("tools/list") }),
  z.looseObject({ method: z.literal("prompts/list") }),
  z.looseObject({ method: z.literal("resources/list") }),
  z.looseObject({ method: z.literal("resources/templates/list") }),
  z.looseObject({
    method: z.literal("tools/call"),
    params: z.looseObject({ name: z.string(), arguments: anyObject, ...continuation }),
  }),
  z.looseObject({
    method: z.literal("prompts/get"),
    params: z.looseObject({ name: z.string(), arguments: texts, ...continuation }),
  }),
  z.looseObject({
    method: z.literal("resources/read"),
    params: z.looseObject({ uri: z.string(), ...continuation }),
  }),
  z.looseObject({
    method: z.literal("completion/complete"),
    params: z.looseObject({
      ref: reference,
      argument: z.looseObject({ name: z.string(), value: z.string() }),
      context: z.looseObject({ arguments: texts.optional() }).optional(),
    }),
  }),
]);

export type McpOperation = z.infer<typeof operationSchema>;
export type CompletionReference = z.infer<typeof reference>;

/** The methods that list, and the member of their results that holds the items. */
export const listMembers = {
  "tools/list": "tools",
  "prompts/list": "prompts",
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
} as const satisfies Partial<Record<McpOperation["method"], string>>;
export type ListMethod = keyof typeof listMembers;
