import type { ConfigFields } from "../../../shared/api/request-fields.ts";
import type { CallOptions } from "../../../shared/api/requests.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { answer, type OperationAnswer } from "./answer.ts";
import { auditOperation, brokenOutcome } from "./audit-operation.ts";
import { load, type ScopedServer } from "./load.ts";
import { apart, type OperationContext, timed } from "./operation-context.ts";
import { type PreparedServer, prepare } from "./prepare.ts";
import { qualifiedServer } from "./qualified-server.ts";
import { redactError } from "./redact-error.ts";
import { mayBeRotated, renew } from "./renew.ts";
import { type GivenInput, openState } from "./request-state.ts";
import { runTarget } from "./run-target.ts";
import { select } from "./select.ts";
import { methodOf, type Target } from "./target.ts";
import { timeLimit } from "./time-limit.ts";

/** One operation of a request, with the server that it names, if it names one. */
export interface Call {
  readonly server: string | undefined;
  readonly target: Target;
  readonly input: GivenInput;
}

export interface Calls {
  readonly fields: ConfigFields;
  readonly calls: readonly Call[];
  readonly options: CallOptions;
}

/** One call's end: an answer, or the failure that kept it from having one. */
export type CallOutcome = OperationAnswer | GatewayError;

interface Scope {
  readonly request: Calls;
  readonly servers: readonly ScopedServer[];
  /** The request's servers by name, each prepared once. */
  readonly prepared: Map<string, Promise<PreparedServer>>;
  /** What replaced a server whose secrets turned out to be rotated. */
  readonly renewed: Map<PreparedServer, Promise<PreparedServer | null>>;
  readonly context: OperationContext;
}

/** A call on its way. */
interface Running {
  readonly call: Call;
  /** Its place among several; null where it is the only one. */
  readonly place: number | null;
  readonly startedAt: number;
}

/**
 * Runs the calls of one request side by side; calls to one server share its session, and a
 * failed call never fails another.
 * @throws GatewayError for what concerns the request as a whole: its config, a missing scope, a
 * limit of the tenant
 */
export async function runCalls(
  request: Calls,
  context: OperationContext,
): Promise<readonly CallOutcome[]> {
  const servers = load(request.fields, context);
  await context.deps.limits.admit(context.caller.tenant, request.calls.length);
  const calls = request.calls.map((call) => ({
    ...call,
    server: call.server ?? (servers.length > 1 ? qualifiedServer(call.target, servers) : undefined),
  }));
  const scope: Scope = { request, servers, prepared: new Map(), renewed: new Map(), context };
  const several = calls.length > 1;
  const startedAt = context.clock();
  try {
    return await Promise.all(
      calls.map((call, index) =>
        runAudited({ call, place: several ? index : null, startedAt }, scope),
      ),
    );
  } finally {
    context.afterAnswer(closeAll([...scope.prepared.values(), ...scope.renewed.values()]));
  }
}

async function runAudited(running: Running, scope: Scope): Promise<CallOutcome> {
  try {
    const outcome = await runOne(running, scope);
    audit(running, outcome, scope);
    return outcome;
  } catch (error) {
    audit(running, brokenOutcome(error), scope);
    throw error;
  }
}

function audit({ call, startedAt }: Running, outcome: CallOutcome, scope: Scope): void {
  const { servers, prepared, context } = scope;
  const only = call.server === undefined && servers.length === 1 ? servers[0] : undefined;
  const server = only ?? servers.find(({ name }) => name === call.server) ?? null;
  const ended = {
    method: methodOf(call.target),
    tool: "name" in call.target ? call.target.name : null,
    server,
    prepared: server === null ? null : (prepared.get(server.name) ?? null),
    outcome,
    startedAt,
  };
  auditOperation(ended, context);
}

async function runOne(running: Running, scope: Scope): Promise<CallOutcome> {
  let { server } = running.call;
  try {
    const scoped = select(scope.servers, server);
    server = scoped.name;
    return await runRenewed(running, await preparedServer(scoped, scope), scope);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return error.server !== undefined || server === undefined ? error : error.with({ server });
  }
}

/** A call that the server refused before it ran is made once more where a secret was rotated. */
async function runRenewed(
  running: Running,
  prepared: PreparedServer,
  scope: Scope,
): Promise<OperationAnswer> {
  const run = (ready: PreparedServer) =>
    apart(scope.context, (own) => runPrepared(running, ready, { ...scope, context: own }));
  try {
    return await run(prepared);
  } catch (error) {
    const renewed = mayBeRotated(error, prepared) ? await renewedServer(prepared, scope) : null;
    if (renewed === null) throw error;
    return run(renewed);
  }
}

async function runPrepared(
  { call, place, startedAt }: Running,
  prepared: PreparedServer,
  { request, context }: Scope,
): Promise<OperationAnswer> {
  const { server, resolved, events } = prepared;
  const { timeout_s, capabilities, max_result_bytes: maxResultBytes } = request.options;
  const limit = timeLimit(server, timeout_s, context.deps.settings.maxOperationMs);
  const options = {
    timeoutMs: limit.timeoutMs,
    extendsToMs: limit.extendsToMs,
    signal: context.signal,
    onProgress: events.progress(place),
    ...(context.logLevel === null ? {} : { logLevel: context.logLevel }),
    ...(capabilities === undefined ? {} : { capabilities }),
  };
  try {
    const { target } = call;
    const continuation = await openState(call.input, { server, target }, context);
    const run = { target, continuation, options };
    const ran = await timed(context, "run", () => runTarget(prepared, run, context));
    const { warnings } = limit;
    const timings = new Map([...prepared.timings, ...context.timings]);
    const told = { startedAt, warnings, maxResultBytes, timings };
    const outcome = { ...ran, asked: target, prepared, ...told };
    return await answer(outcome, context);
  } catch (error) {
    throw error instanceof GatewayError ? redactError(error, resolved.redactor) : error;
  }
}

function preparedServer(scoped: ScopedServer, scope: Scope): Promise<PreparedServer> {
  const known = scope.prepared.get(scoped.name);
  if (known !== undefined) return known;
  const preparing = prepare(scoped, serverUse(scope), scope.context);
  scope.prepared.set(scoped.name, preparing);
  return preparing;
}

function renewedServer(prepared: PreparedServer, scope: Scope): Promise<PreparedServer | null> {
  const known = scope.renewed.get(prepared);
  if (known !== undefined) return known;
  const renewing = renew(prepared, serverUse(scope), scope.context);
  scope.renewed.set(prepared, renewing);
  return renewing;
}

function serverUse({ request }: Scope) {
  const { session, capabilities } = request.options;
  return { inputs: request.fields.inputs ?? {}, session, capabilities };
}

async function closeAll(servers: readonly Promise<PreparedServer | null>[]): Promise<void> {
  const settled = await Promise.allSettled(servers);
  const opened = settled.flatMap((server) =>
    server.status === "fulfilled" && server.value !== null ? [server.value] : [],
  );
  await Promise.all(opened.map(({ open }) => open.close()));
}
