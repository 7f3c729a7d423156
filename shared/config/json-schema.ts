import * as z from "zod";
import { deploymentFileSchema } from "./deployment.ts";
import { serverConfigSchema } from "./server-config.ts";
import { unusedFields } from "./server/native-fields.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A server's entry as people write it: defaults optional, both spellings of the env file. */
const writtenServer = serverConfigSchema.extend({
  envFile: serverConfigSchema.shape.env_file.meta({
    description: "Another spelling of env_file; write one of the two.",
  }),
  ...Object.fromEntries(
    [...unusedFields].map((name) => [
      name,
      z.unknown().optional().meta({ description: "Used by other readers of this form." }),
    ]),
  ),
});

/** Not `mcp`, or a mistake in a server's entry would make the entry one of these. */
const otherTool = z.looseObject({ name: z.string(), type: z.string().regex(/^(?!mcp$)/) });

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
  return toSchema(agentFile, {
    title: "Agent or global config with MCP servers",
    examples: [
      {
        tools: [
          {
            name: "files",
            description: "Reads and writes the files of one folder.",
            type: "mcp",
            command: "npx",
            args: ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/data"],
          },
          {
            name: "docs",
            description: "Searches the documentation.",
            type: "mcp",
            transport: "http",
            url: "https://docs.example.com/mcp",
            headers: { Authorization: "Bearer ${DOCS_TOKEN}" },
          },
        ],
      },
      {
        version: "1.0",
        mcp_servers: [
          {
            name: "time",
            description: "Tells the time.",
            command: "uvx",
            args: ["mcp-server-time==1.0.0"],
          },
        ],
      },
    ],
  });
}

/** JSON Schema (2020-12) of the deployment file, for editors. */
export function deploymentJsonSchema(): JsonSchema {
  return toSchema(deploymentFileSchema, {
    title: "Gangway deployment file",
    examples: [
      {
        version: "1.0",
        tenants: [
          {
            id: "acme",
            keys: [
              {
                id: "k7f3",
                sha256: "0".repeat(64),
                scopes: ["validate", "discover", "call"],
                note: "production agents",
              },
            ],
            mcp_servers: [
              {
                name: "github",
                description: "GitHub's own server.",
                type: "mcp",
                transport: "http",
                url: "https://api.githubcopilot.com/mcp/",
                headers: { Authorization: "Bearer ${GITHUB_TOKEN}" },
              },
            ],
          },
        ],
      },
    ],
  });
}

/** What stands above the schema itself. */
interface Head {
  readonly title: string;
  readonly examples: readonly unknown[];
}

function toSchema(schema: z.ZodType, head: Head): JsonSchema {
  return { ...head, ...z.toJSONSchema(schema, { io: "input" }) };
}
