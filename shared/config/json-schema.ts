import * as z from "zod";
import { deploymentFileSchema } from "./deployment.ts";
import { serverConfigSchema } from "./server-config.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A server's entry as people write it: defaults optional, both spellings of the env file. */
const writtenServer = serverConfigSchema.extend({
  envFile: serverConfigSchema.shape.env_file.meta({
    description: "Another spelling of env_file; write one of the two.",
  }),
});

const otherTool = z.looseObject({ name: z.string(), type: z.string() });

const agentFile = z.looseObject({
  tools: z
    .array(writtenServer.or(otherTool))
    .optional()
    .meta({ description: "The agent's tools; entries of type mcp are MCP servers." }),
  mcp_servers: z
    .array(writtenServer.partial({ type: true }))
    .optional()
    .meta({ description: "Global form: MCP servers that every agent has." }),
  version: z.string().optional().meta({ description: 'Global form: "1.0".' }),
});

/** JSON Schema (2020-12) of the native form, for editors. */
export function agentJsonSchema(): JsonSchema {
  return toSchema(agentFile, "Agent or global config with MCP servers");
}

/** JSON Schema (2020-12) of the deployment file, for editors. */
export function deploymentJsonSchema(): JsonSchema {
  return toSchema(deploymentFileSchema, "Gangway deployment file");
}

function toSchema(schema: z.ZodType, title: string): JsonSchema {
  return { title, ...z.toJSONSchema(schema, { io: "input" }) };
}
