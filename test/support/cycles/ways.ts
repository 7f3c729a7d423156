import type { RunEvent, RunRequest } from "../../../shared/run-contract/contract.ts";
import { type ProcessEntry, processEntry } from "../process-tree.ts";
import { eventsNamed, type RunChanges, textOf } from "../run-request.ts";
import { readEvents, type StartedHost } from "../start-host.ts";

/** How the life of a server that a cycle starts comes to its end. */
export type Way =
  | "close"
  | "cancel"
  | "disconnect"
  | "kill-server"
  | "crash-in-handshake"
  | "ignore-sigterm"
  | "daemonise"
  | "daemonise-cleared";

export interface Cycle {
  readonly host: StartedHost;
  /** A call of a fixture program's tool, by npx or in a container. */
  readonly call: (program: string, tool: string, changes: RunChanges) => RunRequest;
  /** Nobody else's key. */
  readonly key: string;
  /** Told of processes that the server has left behind on purpose. */
  readonly onDaemon: (daemon: ProcessEntry) => void;
}

/** Starts a server of its own on the host, calls it, ends it. @throws TypeError when the call's outcome is not the way's. */
export const ways: Readonly<Record<Way, (cycle: Cycle) => Promise<void>>> = {
  close: async ({ host, call, key }) => {
    expectNumber(textOf(await host.run(call("echo", "pid", brief(key)))));
  },
  cancel: async ({ host, call, key }) => {
    const request = call("hang", "hang", brief(key));
    expectError(await untilSent(host, request, () => host.cancel(request.request_id)), {
      code: "CANCELLED",
      executed: "maybe",
    });
  },
  disconnect: async ({ host, call, key }) => {
    const leaving = new AbortController();
    const response = await host.send(call("hang", "hang", brief(key)), leaving.signal);
    const reading = readEvents(response, ({ event }) => {
      if (event === "sent") leaving.abort();
    });
    await reading.then(
      () => fail("a call that its caller left was answered"),
      () => undefined,
    );
  },
  "kill-server": async ({ host, call, key }) => {
    const pid = expectNumber(textOf(await host.run(call("hang", "pid", kept(key)))));
    const request = call("hang", "hang", kept(key));
    expectError(await untilSent(host, request, () => process.kill(pid, "SIGKILL")), {
      code: "PROCESS_EXITED",
      executed: "maybe",
    });
  },
  "crash-in-handshake": async ({ host, call, key }) => {
    expectError(await host.run(call("crash-at-start", "any", brief(key))), {
      code: "PROCESS_START_FAILED",
      executed: "no",
    });
  },
  "ignore-sigterm": async ({ host, call, key }) => {
    expectNumber(textOf(await host.run(call("ignore-sigterm", "pid", brief(key)))));
  },
  daemonise: (cycle) => daemonise("marked", cycle),
  "daemonise-cleared": (cycle) => daemonise("cleared", cycle),
};

async function daemonise(
  kind: "marked" | "cleared",
  { host, call, key, onDaemon }: Cycle,
): Promise<void> {
  const told: unknown = JSON.parse(textOf(await host.run(call("daemon", kind, brief(key)))));
  const isTold = typeof told === "object" && told !== null && "daemon" in told;
  const daemon = processEntry(expectNumber(isTold ? told.daemon : undefined));
  if (daemon !== null) onDaemon(daemon); // Else it has ended already.
}

/** The server ends as soon as nobody uses it. */
const brief = (key: string): RunChanges => ({ pool_key: key, limits: { idle_ms: 1 } });
/** The server waits for another call. */
const kept = (key: string): RunChanges => ({ pool_key: key });

async function untilSent(
  host: StartedHost,
  request: RunRequest,
  act: () => unknown,
): Promise<RunEvent[]> {
  return readEvents(await host.send(request), async ({ event }) => {
    if (event === "sent") await act();
  });
}

function expectError(events: readonly RunEvent[], expected: { code: string; executed: string }) {
  const [error] = eventsNamed(events, "error");
  const { code, executed } = error?.error ?? { code: "none", executed: "none" };
  if (code === expected.code && executed === expected.executed) return;
  fail(`${code}, executed ${executed}, and not ${expected.code}, ${expected.executed}`);
}

function expectNumber(value: unknown): number {
  const number = Number(value);
  return number > 0 ? number : fail(`no pid but ${String(value)}`);
}

function fail(message: string): never {
  throw new TypeError(message);
}
