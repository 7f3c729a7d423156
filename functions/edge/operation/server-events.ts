import type { ServerEvent, ServerEventName } from "../../../shared/api/stream-events.ts";
import { isNestedDeeper } from "../../../shared/content/nesting.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { isAtLeast, isLogLevel, severity } from "../../../shared/mcp/log-levels.ts";
import type { Progress, SessionNotification } from "../../../shared/mcp/session-types.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
import type { OperationContext } from "./operation-context.ts";
import { rateWindow } from "./rate-window.ts";

/** Most of each kind in any second; progress is counted for each call, the rest for each server. */
const progressPerSecond = 10;
const logsPerSecond = 50;
const othersPerSecond = 50;
/** Most log records in an answer that is no stream. */
const maxLogs = 100;
/** Largest value of a log record or notification, characters of JSON, and its deepest nesting. */
const maxValueSize = 64 * 1024;
const maxValueDepth = 64;
const maxTextLength = 2_000;

export type LogRecord = Extract<ServerEvent, { event: "log" }>["data"];

export interface ServerEventsOptions {
  readonly server: string;
  readonly redactor: Redactor;
  /** The server says that one of its lists has changed. */
  readonly onListChanged: (list: ChangedList) => void;
  readonly context: Pick<OperationContext, "clock" | "logLevel" | "tell">;
}

/** The part of an answer's metadata that tells of events. */
export interface ToldMetadata {
  readonly logs?: readonly LogRecord[];
  readonly dropped?: Readonly<Record<string, number>>;
}

/** What several servers have told, in one. */
export function joinMetadata(all: readonly ServerEvents[]): ToldMetadata {
  const logs = all.flatMap((events) => events.logs);
  const dropped: Record<string, number> = {};
  for (const [name, count] of all.flatMap((events) => Object.entries(events.dropped))) {
    dropped[name] = (dropped[name] ?? 0) + count;
  }
  return {
    ...(logs.length === 0 ? {} : { logs }),
    ...(Object.keys(dropped).length === 0 ? {} : { dropped }),
  };
}

export type ChangedList = Extract<ServerEvent, { event: "catalogue_changed" }>["data"]["list"];

const changedLists: Readonly<Record<string, ChangedList>> = {
  "notifications/tools/list_changed": "tools",
  "notifications/prompts/list_changed": "prompts",
  "notifications/resources/list_changed": "resources",
};

/**
 * What one server tells besides its answers: events of the stream, if the answer is one, else log
 * records for the answer's metadata. Secrets are masked, and what is too much is left out and
 * counted.
 */
export class ServerEvents {
  readonly logs: LogRecord[] = [];
  readonly #options: ServerEventsOptions;
  readonly #dropped = new Map<ServerEventName, number>();
  readonly #mayLog: () => boolean;
  readonly #mayTell: () => boolean;

  constructor(options: ServerEventsOptions) {
    this.#options = options;
    this.#mayLog = rateWindow(logsPerSecond, options.context.clock);
    this.#mayTell = rateWindow(othersPerSecond, options.context.clock);
  }

  /** How many events of each kind were left out; kinds without any are absent. */
  get dropped(): Partial<Record<ServerEventName, number>> {
    return Object.fromEntries(this.#dropped);
  }

  /** Adds what was left out before it came here. */
  countDropped(event: ServerEventName, count: number): void {
    if (count > 0) this.#dropped.set(event, (this.#dropped.get(event) ?? 0) + count);
  }

  /** What the answer's metadata holds of all this. */
  metadata(): ToldMetadata {
    return joinMetadata([this]);
  }

  readonly notification = ({ method, params }: SessionNotification): void => {
    const { server } = this.#options;
    if (method === "notifications/message") return this.#log(params);
    const list = Object.hasOwn(changedLists, method) ? changedLists[method] : undefined;
    if (list === undefined) {
      const value = this.#value(params);
      const told = typeof value === "object" && value !== null ? value : { left_out: value };
      const data = { server, method: this.#text(method), params: { ...told } };
      return this.#tell({ event: "notification", data }, this.#mayTell);
    }
    this.#options.onListChanged(list);
    this.#tell({ event: "catalogue_changed", data: { server, list } }, this.#mayTell);
  };

  readonly exception = (error: Error): void => {
    const code = error instanceof GatewayError ? error.code : null;
    const data = { server: this.#options.server, code, message: this.#text(error.message) };
    this.#tell({ event: "server_exception", data }, this.#mayTell);
  };

  /** A listener for the progress of one call; `call` is its place among several. */
  progress(call: number | null): (progress: Progress) => void {
    const mayPass = rateWindow(progressPerSecond, this.#options.context.clock);
    return ({ message, ...numbers }) => {
      // A mask cannot stand in the place of a number.
      if (this.#options.redactor.data(numbers).count > 0) return this.countDropped("progress", 1);
      const data = {
        server: this.#options.server,
        ...(call === null ? {} : { call }),
        ...numbers,
        ...(message === undefined ? {} : { message: this.#text(message) }),
      };
      this.#tell({ event: "progress", data }, mayPass);
    };
  }

  #log({ level, logger, data }: SessionNotification["params"]): void {
    const { server, context } = this.#options;
    const least = context.logLevel;
    if (least === null || !isLogLevel(level) || !isAtLeast(level, least)) return;
    const record: LogRecord = {
      server,
      level: severity(level),
      mcp_level: level,
      ...(typeof logger === "string" ? { logger: this.#text(logger) } : {}),
      data: this.#value(data),
    };
    if (context.tell !== null) return this.#tell({ event: "log", data: record }, this.#mayLog);
    if (this.logs.length < maxLogs && this.#mayLog()) this.logs.push(record);
    else this.countDropped("log", 1);
  }

  #tell(event: ServerEvent, mayPass: () => boolean): void {
    const { tell } = this.#options.context;
    if (tell === null) return;
    if (!mayPass() || !tell(event)) this.countDropped(event.event, 1);
  }

  #text(text: string): string {
    return this.#options.redactor.text(text).slice(0, maxTextLength).toWellFormed();
  }

  /** JSON of the server, masked; what is too large or too deep is described. */
  #value(value: unknown): unknown {
    if (isNestedDeeper(value, maxValueDepth)) return "[left out: nested too deep]";
    const size = (JSON.stringify(value) ?? "").length;
    if (size > maxValueSize) return `[left out: ${size} characters]`;
    return this.#options.redactor.data(value).data ?? null;
  }
}
