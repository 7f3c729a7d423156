import { serverEventSchemas, type ServerEventName } from "../../../shared/api/stream-events.ts";
import type { OperationOptions } from "../../../shared/mcp/session-types.ts";
import type { RunNote } from "../run-client.ts";
import type { HostedLaunch } from "./guard.ts";
import { endRunSession, hostOf, runOperationOf, runRequest, whoseRun } from "./host-run.ts";
import type { Opening } from "./open.ts";
import type { OpenServer, ServerFacts } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ServerEvents } from "./server-events.ts";

/** A stdio server: every operation is one run on the host, whose pool holds the process. */
export async function openLaunch(
  target: HostedLaunch,
  { resolved, events, wish, context }: Opening,
): Promise<OpenServer> {
  const ask = hostOf(target, context);
  const whose = await whoseRun(target, resolved, context);
  const wished = wish.kind === "kept" ? wish.session.id : crypto.randomUUID();
  let begun = false;
  let handedOut = false;
  /** The session that goes on, once the host has told. */
  let kept: string | null = null;
  let facts: ServerFacts = {
    era: null,
    protocolVersion: null,
    warm: false,
    upstreamRequests: 0,
    timingsMs: {},
  };
  return {
    async run(operation, options) {
      const start = wish.kind === "new" && kept === null;
      begun ||= start;
      const session = wish.kind === "own" ? null : { id: wished, start };
      const asked = runOperationOf(operation, resolved);
      const request = runRequest(whose, session, asked, options);
      const running = ask(request, options.signal, (note) => relay(note, events, options));
      const event = await counted(running, context);
      kept = event.session.id ?? kept;
      countDropped(event.dropped ?? {}, events);
      facts = {
        era: event.session.era,
        protocolVersion: event.session.protocol_version,
        warm: event.session.warm,
        upstreamRequests: 0,
        timingsMs: event.timings_ms,
      };
      return event;
    },
    facts: () => facts,
    keep() {
      handedOut ||= kept !== null;
      return kept === null ? null : { id: kept, protocolVersion: "", capabilities: {} };
    },
    async close() {
      // A session without a handle is of no use to anybody.
      if (begun && !handedOut) await endRunSession(wished, whose).catch(() => undefined);
    },
  };
}

/** The time that the host works on a run is the tenant's, however the run ends. */
async function counted<Result>(
  running: Promise<Result>,
  { caller, clock, deps, afterAnswer }: OperationContext,
): Promise<Result> {
  const startedAt = clock();
  try {
    return await running;
  } finally {
    afterAnswer(deps.limits.charge(caller.tenant, clock() - startedAt));
  }
}

/** What the host tells while an operation goes on, as the events that a remote server would cause. */
function relay(note: RunNote, events: ServerEvents, options: OperationOptions): void {
  if (note.event === "sent") return options.onSent?.();
  if (note.event === "progress") {
    const { progress, total, message } = note;
    return options.onProgress?.({
      progress,
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message }),
    });
  }
  if (note.event === "notification") return events.notification(note);
  const { level, logger, data } = note;
  events.notification({ method: "notifications/message", params: { level, logger, data } });
}

function countDropped(dropped: Readonly<Record<string, number>>, events: ServerEvents): void {
  for (const [name, count] of Object.entries(dropped)) {
    if (isEventName(name)) events.countDropped(name, count);
  }
}

/** A host of another version may count further kinds. */
function isEventName(name: string): name is ServerEventName {
  return Object.hasOwn(serverEventSchemas, name);
}
