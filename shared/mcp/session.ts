import type { JsonObject } from "./json.ts";
import { isNoSuchList, listPages } from "./list-pages.ts";
import { ListRefresh } from "./list-refresh.ts";
import type { OpenClient } from "./open-client.ts";
import { OperationDeadline } from "./operation-deadline.ts";
import { type DefinitionReader, readPrompt, readTool } from "./read-definition.ts";
import { type Operation, runOperation } from "./run-operation.ts";
import { SessionConnection } from "./session-connection.ts";
import type {
  Listing,
  OperationOptions,
  OperationResult,
  PromptDefinition,
  SessionInfo,
  SessionNotification,
  SessionOptions,
  SessionState,
  ToolDefinition,
} from "./session-types.ts";
import {
  isHeaderMismatch,
  mayMeanUnknownTool,
  mayTellUnknownTool,
  toolNotFound,
  wantsHeaders,
} from "./tool-call-answers.ts";
import { untilAborted } from "./until-aborted.ts";

const defaultMaxListPages = 1_000;
/** Asking the list whether a tool exists may take this long. */
const longestLookupMs = 5_000;

/**
 * One MCP session with one server, over any transport. The first operation connects; once the
 * session has ended, every operation fails with SESSION_CLOSED and recovery is a new session.
 * Every failure is a GatewayError that carries the server's name.
 */
export class McpSession {
  readonly name: string;
  readonly #options: SessionOptions;
  readonly #connection: SessionConnection;
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
    const listing = await this.#list("tools", readTool, options);
    this.#tools = listing.items;
    return listing;
  }

  /** All prompts of the server, asked for whatever its capabilities say. */
  async listPrompts(options: OperationOptions): Promise<Listing<PromptDefinition>> {
    const listing = await this.#list("prompts", readPrompt, options);
    this.#prompts = listing.items;
    return listing;
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
  ): Promise<OperationResult> {
    return this.#operate(options, async (open, deadline) => {
      const send = (tool: ToolDefinition | undefined) =>
        runOperation(open, this.#toolCall(name, args, tool), options, deadline);
      const listed = this.#tools?.find((tool) => tool.name === name);
      try {
        const answer = await send(listed);
        if (listed !== undefined || !mayTellUnknownTool(answer.result, name)) return answer;
        if ((await this.#lookUp(name, deadline)) !== "absent") return answer;
      } catch (error) {
        const found = await this.#lookUpAfter(error, listed, { name, deadline });
        if (found === "absent") throw toolNotFound(name, this.name, error);
        if (!isHeaderMismatch(error) || found === "unknown") throw error;
        return send(found);
      }
      throw toolNotFound(name, this.name);
    });
  }

  /** Expands a prompt. */
  async getPrompt(
    name: string,
    args: Record<string, string>,
    options: OperationOptions,
  ): Promise<OperationResult> {
    return this.request("prompts/get", { name, arguments: args }, options);
  }

  /** Any other request of the protocol; its result is not looked into. */
  async request(
    method: string,
    params: JsonObject,
    options: OperationOptions,
  ): Promise<OperationResult> {
    const operation = this.#operation(method, params);
    return this.#operate(options, (open, deadline) =>
      runOperation(open, operation, options, deadline),
    );
  }

  async #list<Item>(
    member: "tools" | "prompts",
    read: DefinitionReader<Item>,
    options: OperationOptions,
  ): Promise<Listing<Item>> {
    const maxPages = this.#options.maxListPages ?? defaultMaxListPages;
    return this.#operate(options, async (open, deadline) => {
      const fetchPage = async (params: JsonObject): Promise<JsonObject> => {
        const page = this.#operation(`${member}/list`, params);
        return (await runOperation(open, page, options, deadline)).result;
      };
      try {
        return await listPages({ member, read, maxPages, fetchPage });
      } catch (error) {
        if (isNoSuchList(error)) return { items: [], warnings: [] };
        throw error;
      }
    });
  }

  #operation(method: string, params: JsonObject): Operation {
    return { method, params, target: this.#options.target };
  }

  #toolCall(name: string, args: JsonObject, tool: ToolDefinition | undefined): Operation {
    const call = this.#operation("tools/call", { name, arguments: args });
    if (tool === undefined || !wantsHeaders(tool.inputSchema)) return call;
    return { ...call, inputSchema: tool.inputSchema };
  }

  /** Runs one operation on the connected client, within its time limit. */
  async #operate<T>(
    options: OperationOptions,
    run: (open: OpenClient, deadline: OperationDeadline) => Promise<T>,
  ): Promise<T> {
    try {
      const open = await untilAborted(this.#connection.ready(), options.signal);
      using deadline = new OperationDeadline(options);
      return await run(open, deadline);
    } catch (error) {
      throw this.#connection.named(error);
    }
  }

  /** Asks the server's list only where it can tell more than the error does. */
  async #lookUpAfter(
    error: unknown,
    listed: ToolDefinition | undefined,
    { name, deadline }: { readonly name: string; readonly deadline: OperationDeadline },
  ): Promise<ToolDefinition | "absent" | "unknown"> {
    const mayBeAbsent = listed === undefined && mayMeanUnknownTool(error);
    return mayBeAbsent || isHeaderMismatch(error) ? this.#lookUp(name, deadline) : "unknown";
  }

  /** What the server's list says of a tool; `unknown` where the list is not complete. */
  async #lookUp(
    name: string,
    deadline: OperationDeadline,
  ): Promise<ToolDefinition | "absent" | "unknown"> {
    try {
      const timeoutMs = Math.min(longestLookupMs, deadline.remainingMs);
      const { items, warnings } = await this.listTools({ timeoutMs, signal: deadline.signal });
      const complete = warnings.every(({ code }) => code === "FIELD_REPAIRED");
      return items.find((tool) => tool.name === name) ?? (complete ? "absent" : "unknown");
    } catch {
      // Without a list nothing is known: the first answer stands.
      return "unknown";
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
