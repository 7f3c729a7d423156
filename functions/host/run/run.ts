import type { RunRequest } from "../../../shared/run-contract/contract.ts";
import type { EmitEvent } from "../http/event-stream.ts";

/** One run on its way: what was asked, and where its events go. */
export interface Run {
  readonly request: RunRequest;
  readonly emit: EmitEvent;
  /** Aborts with a GatewayError when the caller goes away. */
  readonly signal: AbortSignal;
}
