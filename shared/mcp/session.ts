import { callTool } from "./call-tool.ts";
import { hasHeaderMarks, offerable } from "./header-marks.ts";
import type { JsonObject } from "./json.ts";
import { isNoSuchList, listPages } from "./list-pages.ts";
import { ListRefresh } from "./list-refresh.ts";
import { LogLevelSetting } from "./log-level-setting.ts";
import { lookUpName } from "./look-up-name.ts";
import type { OpenClient } from "./open-client.ts";
import { listMembers, type ListMethod } from "./operation.ts";
import { OperationDeadline } from "./operation-deadline.ts";
import {
  type DefinitionReader,
  readPrompt,
  readResource,
  readResourceTemplate,
  readTool,
} from "./read-definition.ts";
import { requestMeta } from "./request-meta.ts";
import { runOperation, type WireRequest } from "./run-operation.ts";
import { SessionConnection } from "./session-connection.ts";
import type {
  Continuation,
  Listing,
  OperationOptions,
  OperationResult,
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  SessionInfo,
  SessionNotification,
  SessionOptions,
  SessionState,
  ToolDefinition,
} from "./session-types.ts";
import { mayMeanUnknownName, promptNotFound } from "./unknown-names.ts";
import { untilAborted } from "./until-aborted.ts";

const defaultMaxListPages = 1_000;

/**
 * One MCP session with one server, over any transport. The first operation connects; once the
 * session has ended, every operation fails with SESSION_CLOSED and recovery is a new session.
 * Every failure is a GatewayError that carries the server's name.
 */
export class McpSession {
  readonly name: string;
  readonly #options: SessionOptions;
  readonly #connection: SessionConnection;
  readonly #logLevel = new LogLevelSetting();
  #tools: readonly ToolDefinition[] | null = null;
  #prompts: readonly PromptDefinition[] | null = null;
  readonly #toolsRefresh = new ListRefresh(async () => {
    await this.listTools(this.#refreshOptions());
  });
  readonly #promptsRefresh = new ListRefresh(async () => {
    await this.listPrompts(this.#refreshOptions());
  });

  constructor(options: SessionOptions) {
    this.name = options.name;
    this.#options = options;
    this.#connection = new SessionConnection(options, (notification) =>
      this.#notified(notification),
    );
  }

  get state(): SessionState {
    return this.#connection.state;
  }

  /** What the handshake told; null before it. */
  get info(): SessionInfo | null {
    return this.#connection.current?.info ?? null;
  }

  /** The tools as last listed; refreshed when the server tells of a change. Null before a listing. */
  get tools(): readonly ToolDefinition[] | null {
    return this.#tools;
  }

  /** The prompts as last listed; refreshed when the server tells of a change. Null before a listing. */
  get prompts(): readonly PromptDefinition[] | null {
    return this.#prompts;
  }

  /** Connects and runs the handshake, once for all callers; answers what the handshake told. */
  async connect(): Promise<SessionInfo> {
    return (await this.#connection.ready()).info;
  }

  /**
   * Ends the session; operations in flight fail at once. Resolves when the connection is closed
   * and, where the transport does so, the session is ended at the server.
   */
  async disconnect(): Promise<void> {
    await this.#connection.end();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disconnect();
  }

  /** All tools of the server, asked for whatever its capabilities say. */
  async listTools(options: OperationOptions): Promise<Listing<ToolDefinition>> {
    const listed = await this.#list("tools/list", readTool, options);
    const listing = this.#mirrorsArguments ? offerable(listed) : listed;
    this.#tools = listing.items;
    return listing;
  }

  /** All prompts of the server, asked for whatever its capabilities say. */
  async listPrompts(options: OperationOptions): Promise<Listing<PromptDefinition>> {
    const listing = await this.#list("prompts/list", readPrompt, options);
    this.#prompts = listing.items;
    return listing;
  }

  /** All resources of the server, asked for whatever its capabilities say. */
  async listResources(options: OperationOptions): Promise<Listing<ResourceDefinition>> {
    return this.#list("resources/list", readResource, options);
  }

  /** All resource templates of the server, asked for whatever its capabilities say. */
  async listResourceTemplates(
    options: OperationOptions,
  ): Promise<Listing<ResourceTemplateDefinition>> {
    return this.#list("resources/templates/list", readResourceTemplate, options);
  }

  /**
   * Calls a tool: `tools/call` is sent once, unless a server of revision 2026-07-28 turns it away
   * before running anything because it wants arguments in headers that only its list tells. A
   * failure of the tool itself is a result (`isError`). Whether a tool is missing is decided by
   * the server's list.
   * @throws GatewayError TOOL_NOT_FOUND, INVALID_PARAMS, SERVER_ERROR, REQUEST_TIMEOUT, CANCELLED,
   * CONNECTION_LOST, RESPONSE_INVALID, SESSION_CLOSED, and what connecting throws
   */
  async callTool(
    name: string,
    args: JsonObject,
    options: OperationOptions,
    continuation: Continuation = {},
  ): Promise<OperationResult> {
    const params = { name, arguments: args, ...continuation };
    return this.#operate(options, (open, deadline) =>
      callTool({
        name,
        server: this.name,
        listed: this.#tools?.find((tool) => tool.name === name),
        send: (tool) =>
          this.#send(this.#toolCall(params, tool ?? options.knownTool), open, {
            options,
            deadline,
          }),
        list: (lookup) => this.listTools(lookup),
        deadline,
      }),
    );
  }

  /**
   * Expands a prompt. Whether a prompt is missing is decided by the server's list.
   * @throws GatewayError PROMPT_NOT_FOUND, and what `request` throws
   */
  async getPrompt(
    name: string,
    args: Record<string, string>,
    options: OperationOptions,
    continuation: Continuation = {},
  ): Promise<OperationResult> {
    const request = this.#wire("prompts/get", { name, arguments: args, ...continuation });
    return this.#operate(options, async (open, deadline) => {
      try {
        return await this.#send(request, open, { options, deadline });
      } catch (error) {
        const list = (lookup: OperationOptions) => this.listPrompts(lookup);
        const absent =
          mayMeanUnknownName(error) && (await lookUpName({ name, list, deadline })) === "absent";
        throw absent ? promptNotFound(name, this.name, error) : error;
      }
    });
  }

  /**
   * Any other request of the protocol; its result is not looked into.
   * @throws GatewayError RESOURCE_NOT_FOUND, and what `callTool` throws but TOOL_NOT_FOUND
   */
  async request(
    method: string,
    params: JsonObject,
    options: OperationOptions,
  ): Promise<OperationResult> {
    return this.#operate(options, (open, deadline) =>
      this.#send(this.#wire(method, params), open, { options, deadline }),
    );
  }

  async #list<Item>(
    method: ListMethod,
    read: DefinitionReader<Item>,
    options: OperationOptions,
  ): Promise<Listing<Item>> {
    const maxPages = this.#options.maxListPages ?? defaultMaxListPages;
    return this.#operate(options, async (open, deadline) => {
      const fetchPage = async (params: JsonObject): Promise<JsonObject> => {
        const page = this.#wire(method, params);
        return (await this.#send(page, open, { options, deadline })).result;
      };
      try {
        return await listPages({ member: listMembers[method], read, maxPages, fetchPage });
      } catch (error) {
        if (isNoSuchList(error)) return { items: [], warnings: [] };
        throw error;
      }
    });
  }

  #wire(method: string, params: JsonObject): WireRequest {
    return { method, params, target: this.#options.target };
  }

  #toolCall(params: JsonObject, tool: ToolDefinition | undefined): WireRequest {
    const wire = this.#wire("tools/call", params);
    if (tool === undefined || !this.#mirrorsArguments) return wire;
    return hasHeaderMarks(tool.inputSchema) ? { ...wire, inputSchema: tool.inputSchema } : wire;
  }

  /** Streamable HTTP of revision 2026-07-28 carries arguments in headers where a tool wants them. */
  get #mirrorsArguments(): boolean {
    const open = this.#connection.current;
    return open?.info.era === "modern" && open.transport.hasPerRequestStream;
  }

  async #send(
    request: WireRequest,
    open: OpenClient,
    { options, deadline }: { options: OperationOptions; deadline: OperationDeadline },
  ): Promise<OperationResult> {
    const meta = requestMeta(open, options);
    const params = meta === null ? request.params : { ...request.params, _meta: meta };
    return runOperation(open, { ...request, params }, options, deadline);
  }

  /** Runs one operation on the connected client, within its time limit. */
  async #operate<T>(
    options: OperationOptions,
    run: (open: OpenClient, deadline: OperationDeadline) => Promise<T>,
  ): Promise<T> {
    try {
      const open = await untilAborted(this.#connection.ready(), options.signal);
      await this.#logLevel.tell(open, this.#options.target, options);
      using deadline = new OperationDeadline(options);
      options.onDeadline?.(deadline);
      return await run(open, deadline);
    } catch (error) {
      throw this.#connection.named(error);
    }
  }

  #notified(notification: SessionNotification): void {
    const { method } = notification;
    if (method.endsWith("/list_changed")) this.#connection.apply("list_changed");
    if (method === "notifications/tools/list_changed" && this.#tools !== null) {
      this.#refresh(this.#toolsRefresh);
    }
    if (method === "notifications/prompts/list_changed" && this.#prompts !== null) {
      this.#refresh(this.#promptsRefresh);
    }
    this.#options.onNotification?.(notification);
  }

  #refresh(list: ListRefresh): void {
    list.request().catch((error: unknown) => {
      if (this.state === "CONNECTED") this.#options.onException?.(this.#connection.named(error));
    });
  }

  #refreshOptions(): OperationOptions {
    return { timeoutMs: this.#options.connectTimeoutMs, signal: this.#connection.signal };
  }
}
