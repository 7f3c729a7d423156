import { GatewayError } from "../errors/gateway-error.ts";
import { connectTimeout } from "./connect-failure.ts";
import type { JsonObject } from "./json.ts";
import { isNoSuchList, listPages } from "./list-pages.ts";
import { ListRefresh } from "./list-refresh.ts";
import { type OpenClient, openClient } from "./open-client.ts";
import { OperationDeadline } from "./operation-deadline.ts";
import { type DefinitionReader, readPrompt, readTool } from "./read-definition.ts";
import { runOperation } from "./run-operation.ts";
import { nextState, type SessionEvent, sessionStates } from "./session-states.ts";
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
import { mayMeanUnknownTool, mayTellUnknownTool, toolNotFound } from "./unknown-tool.ts";

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
  readonly #abort = new AbortController();
  #state: SessionState = "CREATED";
  #open: OpenClient | null = null;
  #connecting: Promise<OpenClient> | null = null;
  readonly #closing = new Set<Promise<void>>();
  #endReason: GatewayError | null = null;
  #tools: readonly ToolDefinition[] | null = null;
  #prompts: readonly PromptDefinition[] | null = null;
  readonly #toolsRefresh = new ListRefresh(
    async () => void (await this.listTools(this.#refreshOptions())),
  );
  readonly #promptsRefresh = new ListRefresh(
    async () => void (await this.listPrompts(this.#refreshOptions())),
  );

  constructor(options: SessionOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** What the handshake told; null before it. */
  get info(): SessionInfo | null {
    return this.#open?.info ?? null;
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
    return (await this.#connected()).info;
  }

  /**
   * Ends the session; operations in flight fail at once. Resolves when the connection is closed
   * and, where the transport does so, the session is ended at the server.
   */
  async disconnect(): Promise<void> {
    this.#apply("disconnect");
    const reason = this.#closedError("maybe");
    this.#abort.abort();
    this.#open?.transport.failAll(reason);
    await this.#open?.client.close();
    await Promise.all(this.#closing);
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
   * Calls a tool: `tools/call` is sent once, whatever happens. A failure of the tool itself is a
   * result (`isError`). Whether a tool is missing is decided by the server's list.
   */
  async callTool(
    name: string,
    args: JsonObject,
    options: OperationOptions,
  ): Promise<OperationResult> {
    return this.#operate(options, async (open, deadline) => {
      const call = {
        method: "tools/call",
        params: { name, arguments: args },
        target: this.#options.target,
      };
      try {
        const answer = await runOperation(open, call, options, deadline);
        if (!mayTellUnknownTool(answer.result, name) || (await this.#hasTool(name, deadline)))
          return answer;
      } catch (error) {
        if (!mayMeanUnknownTool(error) || (await this.#hasTool(name, deadline))) throw error;
        throw toolNotFound(name, this.name, error);
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
    const operation = { method, params, target: this.#options.target };
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
        const page = { method: `${member}/list`, params, target: this.#options.target };
        return (await runOperation(open, page, options, deadline)).result;
      };
      try {
        return await listPages({ member, read, maxPages, fetchPage });
      } catch (error) {
        if (error instanceof GatewayError && isNoSuchList(error))
          return { items: [], warnings: [] };
        throw error;
      }
    });
  }

  /** Runs one operation on the connected client, within its time limit. */
  async #operate<T>(
    options: OperationOptions,
    run: (open: OpenClient, deadline: OperationDeadline) => Promise<T>,
  ): Promise<T> {
    try {
      const open = await untilAborted(this.#connected(), options.signal);
      using deadline = new OperationDeadline(options);
      return await run(open, deadline);
    } catch (error) {
      throw this.#named(error);
    }
  }

  /** True unless the server's list, complete and readable, does not have the tool. */
  async #hasTool(name: string, deadline: OperationDeadline): Promise<boolean> {
    if (this.#tools?.some((tool) => tool.name === name) === true) return true;
    try {
      const timeoutMs = Math.min(longestLookupMs, deadline.remainingMs);
      const { items, warnings } = await this.listTools({ timeoutMs, signal: deadline.signal });
      const complete = warnings.every(({ code }) => code === "FIELD_REPAIRED");
      return !complete || items.some((tool) => tool.name === name);
    } catch {
      // Without a list nothing is known: the first answer stands.
      return true;
    }
  }

  async #connected(): Promise<OpenClient> {
    const start = sessionStates[this.#state].operation;
    if (start === "refuse") throw this.#closedError("no");
    if (start === "connect") {
      this.#apply("connect");
      this.#connecting = this.#connectOnce();
    }
    if (this.#connecting === null) throw this.#closedError("no");
    return this.#connecting;
  }

  async #connectOnce(): Promise<OpenClient> {
    const { connectTimeoutMs } = this.#options;
    const timer = setTimeout(() => this.#abort.abort("timeout"), connectTimeoutMs);
    const { signal } = this.#abort;
    try {
      const opening = openClient(this.#options, this.#listeners(), signal);
      // Once the wait is over, openClient closes what it has opened by itself.
      opening.catch(() => undefined);
      this.#open = await untilAborted(opening, signal);
      this.#apply("connected");
      return this.#open;
    } catch (error) {
      if (this.#state === "DISCONNECTED") throw this.#closedError("no");
      this.#endReason = this.#named(
        signal.reason === "timeout" ? connectTimeout(this.#options) : error,
      );
      this.#apply("fail");
      throw this.#endReason;
    } finally {
      clearTimeout(timer);
    }
  }

  #listeners() {
    return {
      onNotification: (notification: SessionNotification) => this.#notified(notification),
      onException: (error: Error) => this.#options.onException?.(error),
      onEnd: (reason: GatewayError) => {
        if (this.#state !== "CONNECTED") return;
        this.#endReason = reason;
        this.#apply("fail");
      },
      onClosing: (closing: Promise<void>) => this.#awaitClosing(closing),
    };
  }

  #awaitClosing(closing: Promise<void>): void {
    const settled = closing
      .catch((error: unknown) => this.#options.onException?.(this.#named(error)))
      .then(() => void this.#closing.delete(settled));
    this.#closing.add(settled);
  }

  #notified(notification: SessionNotification): void {
    const { method } = notification;
    if (method.endsWith("/list_changed")) this.#apply("list_changed");
    if (method === "notifications/tools/list_changed" && this.#tools !== null)
      this.#refresh(this.#toolsRefresh);
    if (method === "notifications/prompts/list_changed" && this.#prompts !== null) {
      this.#refresh(this.#promptsRefresh);
    }
    this.#options.onNotification?.(notification);
  }

  #refresh(list: ListRefresh): void {
    list.request().catch((error: unknown) => this.#options.onException?.(this.#named(error)));
  }

  #refreshOptions(): OperationOptions {
    return { timeoutMs: this.#options.connectTimeoutMs, signal: this.#abort.signal };
  }

  #apply(event: SessionEvent): void {
    this.#state = nextState(this.#state, event);
  }

  #closedError(executed: "no" | "maybe"): GatewayError {
    const reason = this.#endReason;
    const why = reason === null ? "" : ` (${reason.message})`;
    return new GatewayError(
      "SESSION_CLOSED",
      `The session with ${this.#options.target} has ended${why}.`,
      {
        server: this.name,
        executed,
        ...(reason === null ? {} : { cause: reason, details: { reason: reason.code } }),
      },
    );
  }

  #named(error: unknown): GatewayError {
    if (error instanceof GatewayError)
      return error.server === undefined ? error.with({ server: this.name }) : error;
    const text = `The session with ${this.#options.target} failed.`;
    return new GatewayError("INTERNAL", text, { server: this.name, cause: error });
  }
}

/** `promise`, or a rejection as soon as `signal` aborts. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () =>
      reject(new GatewayError("CANCELLED", "The operation was cancelled before it was sent."));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
