import * as z from "zod";

/** Transports of the native form; `http` is MCP's streamable HTTP. */
export const transports = ["stdio", "sse", "websocket", "http"] as const;
export type TransportName = (typeof transports)[number];

/** Commands that a stdio server may name. */
export const commands = ["npx", "uvx", "docker"] as const;
export type CommandName = (typeof commands)[number];

/** `name` of a server in a config. */
export const serverNamePattern = /^(?!.*__)[0-9A-Za-z_]+$/;

const seconds = z.number().positive();
const stringMap = z.record(z.string(), z.string());

/**
 * One MCP server as the rest of Gangway sees it: every default filled in, field names as
 * written in the native form. References are still unexpanded.
 */
export const serverConfigSchema = z.strictObject({
  name: z
    .string()
    .regex(serverNamePattern)
    .meta({
      description: "The server's name: letters, digits and single underscores.",
      examples: ["files", "github_2"],
    }),
  description: z.string().optional().meta({ description: "What the server is for." }),
  type: z.literal("mcp").meta({ description: "Marks a tools entry as an MCP server." }),
  server: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "A label, or the npm package or Python package when there are no args." }),
  transport: z
    .enum(transports)
    .default("stdio")
    .meta({ description: "How the server is reached. Default stdio." }),
  command: z
    .enum(commands)
    .optional()
    .meta({ description: "The package runner of a stdio server." }),
  args: z
    .array(z.string())
    .default([])
    .meta({
      description: "Arguments of the command, one string each; no shell reads them.",
      examples: [
        ["-y", "@modelcontextprotocol/server-filesystem@2026.8.31", "/data"],
        ["mcp-server-time==1.0.0"],
      ],
    }),
  env: stringMap.default({}).meta({
    description: "Environment variables of a stdio server.",
    examples: [{ GITHUB_TOKEN: "${GITHUB_TOKEN}" }],
  }),
  env_file: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "Path of a dotenv file whose text the request carries in env_files." }),
  encoding: z
    .string()
    .min(1)
    .default("utf-8")
    .meta({ description: "Text encoding of a stdio server's streams. Default utf-8." }),
  url: z
    .string()
    .optional()
    .meta({
      description: "Where a remote server is: https:// or wss://, as the transport needs.",
      examples: ["https://mcp.example.com/mcp"],
    }),
  headers: stringMap.default({}).meta({
    description: "HTTP headers sent to a remote server.",
    examples: [{ Authorization: "Bearer ${API_TOKEN}" }],
  }),
  timeout: seconds.default(30).meta({
    description: "Seconds to connect to a remote server and finish the handshake. Default 30.",
  }),
  sse_read_timeout: seconds
    .default(300)
    .meta({ description: "Seconds of silence on a stream before it counts as dead. Default 300." }),
  terminate_on_close: z
    .boolean()
    .default(true)
    .meta({ description: "End the server's session with DELETE when done. Default true." }),
  config: z.record(z.string(), z.unknown()).optional().meta({
    description:
      "Settings handed to the server: MCP_CONFIG for stdio, a client capability for remote.",
  }),
  load_tools: z.boolean().default(true).meta({
    description: "False: the server's tools are neither listed nor callable. Default true.",
  }),
  load_prompts: z.boolean().default(true).meta({
    description: "False: the server's prompts are neither listed nor usable. Default true.",
  }),
  request_timeout: z
    .int()
    .positive()
    .default(60)
    .meta({ description: "Seconds for one operation, a whole number. Default 60." }),
  registry_name: z
    .string()
    .optional()
    .meta({ description: "Reverse-DNS name of the registry entry that the server came from." }),
  protocol: z.enum(["auto", "legacy", "2026-07-28"]).default("auto").meta({
    description: "Protocol revision to speak: found out by itself, or pinned. Default auto.",
  }),
  allowed_tools: z.array(z.string()).optional().meta({
    description: "Only these original tool names (prompts as prompt:NAME) are listed and callable.",
  }),
  disabled_tools: z.array(z.string()).default([]).meta({
    description:
      "These original tool names (prompts as prompt:NAME) are neither listed nor callable.",
  }),
  inputs: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .default([])
    .meta({ description: "Names of references that a request may fill by its own inputs." }),
  disabled: z.boolean().default(false).meta({
    description: "True: the server stays in the config and cannot be called. Default false.",
  }),
  share: z.enum(["subject", "tenant"]).default("subject").meta({
    description:
      "Who may share a warm process: one subject, or all of the tenant. Default subject.",
  }),
});

export type ServerConfig = z.infer<typeof serverConfigSchema>;
