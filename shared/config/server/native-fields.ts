import { serverConfigSchema, type TransportName } from "../server-config.ts";

export const nativeFields: ReadonlySet<string> = new Set(Object.keys(serverConfigSchema.shape));

/** Transports that use a field; fields not listed are for all. */
export const fieldTransports: Readonly<Partial<Record<string, readonly TransportName[]>>> = {
  command: ["stdio"],
  args: ["stdio"],
  env: ["stdio"],
  env_file: ["stdio"],
  encoding: ["stdio"],
  share: ["stdio"],
  url: ["sse", "websocket", "http"],
  headers: ["sse", "websocket", "http"],
  timeout: ["sse", "websocket", "http"],
  sse_read_timeout: ["sse", "websocket", "http"],
  terminate_on_close: ["http"],
};

/** Fields that other readers of the native form use and a gateway does not. */
export const unusedFields: ReadonlySet<string> = new Set(["defer_loading", "is_retrieval"]);

/** Names that clients use for a native field, for better suggestions than spelling alone gives. */
export const foreignNames: Readonly<Partial<Record<string, string>>> = {
  serverUrl: "url",
  httpUrl: "url",
  uri: "url",
  endpoint: "url",
  cmd: "command",
  environment: "env",
  envs: "env",
  arguments: "args",
  http_headers: "headers",
  package: "server",
  transportType: "transport",
  includeTools: "allowed_tools",
  excludeTools: "disabled_tools",
  disabledTools: "disabled_tools",
  tool_timeout_sec: "request_timeout",
  startup_timeout_sec: "timeout",
};
