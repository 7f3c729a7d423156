import { randomUUID } from "node:crypto";
import type { Launch, RunEvent, RunRequest } from "../../shared/run-contract/contract.ts";

export interface RunChanges extends Partial<Omit<RunRequest, "launch" | "limits" | "operation">> {
  readonly launch?: Partial<Launch>;
  readonly limits?: Partial<RunRequest["limits"]>;
  readonly operation?: RunRequest["operation"];
}

/** A run of a program of the fixture package; by default it lists tools. */
export function runRequest(bin: string | null, changes: RunChanges = {}): RunRequest {
  const { launch, limits, ...rest } = changes;
  return {
    request_id: randomUUID(),
    tenant: "acme",
    pool_key: `acme/${bin}`,
    server: "fixture",
    protocol: "auto",
    log_level: null,
    operation: { method: "tools/list" },
    ...rest,
    launch: {
      runner: "npx",
      package: "@fixture/stdio",
      version: "1.0.0",
      bin,
      args: [],
      env: {},
      secret_env: {},
      encoding: "utf-8",
      ...launch,
    },
    limits: {
      install_ms: 60_000,
      handshake_ms: 20_000,
      call_ms: 20_000,
      progress_extends_to_ms: 20_000,
      result_bytes: 8 * 1024 * 1024,
      ...limits,
    },
  };
}

/** A call of one tool of a fixture program. */
export function callRequest(
  bin: string | null,
  tool: string,
  args: Record<string, unknown> = {},
  changes: RunChanges = {},
): RunRequest {
  return runRequest(bin, {
    operation: { method: "tools/call", params: { name: tool, arguments: args } },
    ...changes,
  });
}

type EventOf<Name extends RunEvent["event"]> = Extract<RunEvent, { event: Name }>;

/** The events of one kind, in order. */
export function eventsNamed<Name extends RunEvent["event"]>(
  events: readonly RunEvent[],
  name: Name,
): EventOf<Name>[] {
  return events.filter((event): event is EventOf<Name> => event.event === name);
}

/** The run's result; fails with the run's own error if there is none. */
export function resultOf(events: readonly RunEvent[]): EventOf<"result"> {
  const [result] = eventsNamed(events, "result");
  if (result !== undefined) return result;
  throw new TypeError(`no result but ${JSON.stringify(events.at(-1))}`);
}

/** The run's error; fails if it has a result. */
export function errorOf(events: readonly RunEvent[]): EventOf<"error">["error"] {
  const [error] = eventsNamed(events, "error");
  if (error !== undefined) return error.error;
  throw new TypeError(`no error but ${JSON.stringify(events.at(-1))}`);
}

/** The text of a tool's first content block. */
export function textOf(events: readonly RunEvent[]): string {
  const { content } = resultOf(events).result as { content: { text: string }[] };
  return content[0]?.text ?? "";
}
