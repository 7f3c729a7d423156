import type { CallResult } from "../../../shared/content/call-result.ts";
import { toCallResult } from "../../../shared/content/to-call-result.ts";
import type { OpenServer } from "./open-server.ts";
import type { OperationContext } from "./operation-context.ts";
import type { ResolvedServer } from "./resolve.ts";
import type { ToolAnswer } from "./run.ts";

export interface Outcome extends ToolAnswer {
  readonly resolved: ResolvedServer;
  readonly open: OpenServer;
  /** When the call began, milliseconds since 1970. */
  readonly startedAt: number;
  readonly maxResultBytes: number;
}

/** The caller's result: secret values masked, blocks converted, the size limit applied. */
export function answer(outcome: Outcome, context: OperationContext): CallResult {
  const { server, config, redactor } = outcome.resolved;
  const facts = outcome.open.facts();
  const masked = redactor.data(outcome.answer.result);
  const metadata: CallResult["metadata"] = {
    request_id: context.requestId,
    server: server.name,
    tool: outcome.tool,
    source: server.source,
    transport: config.transport,
    protocol_version: facts.protocolVersion,
    era: facts.era,
    duration_ms: context.clock() - outcome.startedAt,
    timings_ms: { ...Object.fromEntries(context.timings), ...facts.timingsMs },
    upstream_requests: facts.upstreamRequests,
    warm: facts.warm,
    session: null,
    masked: masked.count,
    truncated: [],
    warnings: outcome.answer.warnings,
  };
  return toCallResult(masked.data, metadata, outcome.maxResultBytes);
}
