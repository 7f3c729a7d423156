import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import type { Runs } from "../http/app.ts";
import { toGatewayError } from "../http/error-answer.ts";
import type { EmitEvent } from "../http/event-stream.ts";
import type { Log } from "../log.ts";
import { createRedact } from "../process/redact.ts";
import { errorEvent } from "./error-event.ts";
import type { Run } from "./run.ts";
import { whereThrown } from "../../../shared/errors/where-thrown.ts";

/** The runs in flight: they are started, cancelled and waited for here. */
export class RunBook implements Runs {
  readonly #operate: (run: Run) => Promise<void>;
  readonly #log: Log;
  readonly #now: () => number;
  readonly #cancellers = new Map<string, Set<AbortController>>();
  readonly #running = new Set<Promise<void>>();
  #accepting = true;

  constructor(operate: (run: Run) => Promise<void>, { log, now }: { log: Log; now: () => number }) {
    this.#operate = operate;
    this.#log = log;
    this.#now = now;
  }

  readonly accepting = (): boolean => this.#accepting;

  readonly start = (request: RunRequest, emit: EmitEvent, signal: AbortSignal): Promise<void> => {
    const running = this.#run(request, emit, signal).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  };

  readonly cancel = (requestId: string): number => {
    const cancellers = [...(this.#cancellers.get(requestId) ?? [])];
    for (const canceller of cancellers) canceller.abort(cancelled());
    return cancellers.length;
  };

  /** Takes no more runs; resolves when those in flight are over, or after `withinMs`. */
  async drain(withinMs: number): Promise<void> {
    this.#accepting = false;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, withinMs)));
    await Promise.race([Promise.allSettled(this.#running), late]);
    clearTimeout(timer);
  }

  async #run(request: RunRequest, emit: EmitEvent, callerGone: AbortSignal): Promise<void> {
    const canceller = this.#enter(request.request_id);
    const onGone = () => canceller.abort(cancelled());
    callerGone.addEventListener("abort", onGone, { once: true });
    if (callerGone.aborted) onGone();
    const watch = watchSent(emit);
    const startedAt = this.#now();
    try {
      await this.#operate({ request, emit: watch.emit, signal: canceller.signal });
      this.#log.info({ ...names(request), ms: this.#now() - startedAt }, "run answered");
    } catch (error) {
      emit(this.#failure(request, error, watch.sent()));
    } finally {
      callerGone.removeEventListener("abort", onGone);
      this.#leave(request.request_id, canceller);
    }
  }

  #failure(request: RunRequest, error: unknown, sent: boolean) {
    const told = toGatewayError(error);
    const { secret_env, redact = [] } = request.launch;
    const event = errorEvent(told, {
      sent,
      redact: createRedact({ secrets: [...Object.values(secret_env), ...redact], plain: [] }),
    });
    const thrown = told.code === "INTERNAL" ? whereThrown(told.cause) : undefined;
    const level = told.code === "INTERNAL" ? "error" : "info";
    this.#log[level](
      { ...names(request), code: told.code, executed: event.error.executed, thrown },
      "run failed",
    );
    return event;
  }

  #enter(requestId: string): AbortController {
    const canceller = new AbortController();
    const others = this.#cancellers.get(requestId) ?? new Set();
    this.#cancellers.set(requestId, others.add(canceller));
    return canceller;
  }

  #leave(requestId: string, canceller: AbortController): void {
    const cancellers = this.#cancellers.get(requestId);
    cancellers?.delete(canceller);
    if (cancellers?.size === 0) this.#cancellers.delete(requestId);
  }
}

function names({ request_id, server, launch, operation }: RunRequest) {
  return {
    request_id,
    server,
    package: launch.package,
    version: launch.version,
    method: operation.method,
  };
}

function cancelled(): GatewayError {
  return new GatewayError("CANCELLED", "The run was cancelled by its caller.");
}

function watchSent(emit: EmitEvent) {
  let sent = false;
  return {
    sent: () => sent,
    emit: (event: Parameters<EmitEvent>[0]) => {
      sent ||= event.event === "sent";
      return emit(event);
    },
  };
}
