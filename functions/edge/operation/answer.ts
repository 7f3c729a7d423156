import type {
  CallResult,
  CompletionResult,
  PromptResult,
  ResourceResult,
  Warning,
} from "../../../shared/content/call-result.ts";
import { isInputRequired } from "../../../shared/content/raw-result.ts";
import { toCallResult } from "../../../shared/content/to-call-result.ts";
import { toCompletionResult } from "../../../shared/content/to-completion-result.ts";
import { toPromptResult } from "../../../shared/content/to-prompt-result.ts";
import { toResourceResult } from "../../../shared/content/to-resource-result.ts";
import type { OperationContext } from "./operation-context.ts";
import type { PreparedServer } from "./prepare.ts";
import { sealState } from "./request-state.ts";
import type { Ran } from "./run-target.ts";
import { sealSession } from "./session-handle.ts";
import type { Target } from "./target.ts";

export type OperationAnswer = CallResult | PromptResult | ResourceResult | CompletionResult;

export interface Outcome extends Ran {
  /** The target in the caller's words. */
  readonly asked: Target;
  readonly prepared: PreparedServer;
  /** When the request began, milliseconds since 1970. */
  readonly startedAt: number;
  /** What Gangway itself has to tell. */
  readonly warnings: readonly Warning[];
  readonly maxResultBytes: number | undefined;
  /** Milliseconds by stage, of this operation alone. */
  readonly timings: ReadonlyMap<string, number>;
}

/**
 * The caller's answer: secret values masked, blocks converted, the size limit applied. What a
 * server wants to get back, and a session that is kept, leave sealed.
 */
export async function answer(
  outcome: Outcome,
  context: OperationContext,
): Promise<OperationAnswer> {
  const { asked, prepared, result } = outcome;
  const { server, resolved } = prepared;
  const masked = resolved.redactor.data(result.result);
  const metadata = await metadataOf(outcome, masked.count, context);
  const answered = convert(outcome, masked.data, metadata);
  if (!isInputRequired(result.result)) return answered;
  // Sealed as it came: it goes back to the server, and nobody else can read it.
  const { result: raw, waits_ms: waitsMs } = result;
  const sealed = { state: raw["requestState"], ...(waitsMs === undefined ? {} : { waitsMs }) };
  return { ...answered, ...(await sealState(sealed, { server, target: asked }, context)) };
}

type Metadata = CompletionResult["metadata"];

async function metadataOf(
  { prepared, startedAt, result, warnings, timings }: Outcome,
  masked: number,
  context: OperationContext,
): Promise<Metadata> {
  const { server, events, resolved } = prepared;
  const facts = prepared.open.facts();
  const kept = prepared.open.keep();
  return {
    request_id: context.requestId,
    server: server.name,
    source: server.source,
    transport: resolved.config.transport,
    protocol_version: facts.protocolVersion,
    era: facts.era,
    duration_ms: context.clock() - startedAt,
    timings_ms: { ...Object.fromEntries(timings), ...facts.timingsMs },
    upstream_requests: facts.upstreamRequests,
    warm: facts.warm,
    session: kept === null ? null : await sealSession(server, kept, context),
    masked,
    truncated: [],
    warnings: [...warnings, ...resolved.warnings, ...resolved.redactor.data(result.warnings).data],
    ...events.metadata(),
  };
}

function convert(
  outcome: Outcome,
  raw: Record<string, unknown>,
  metadata: Metadata,
): OperationAnswer {
  const { target, maxResultBytes } = outcome;
  switch (target.kind) {
    case "tool":
      return toCallResult(
        raw,
        { ...metadata, tool: shownName(target.name, outcome) },
        maxResultBytes,
      );
    case "prompt":
      return toPromptResult(
        raw,
        { ...metadata, prompt: shownName(target.name, outcome) },
        maxResultBytes,
      );
    case "resource":
      return toResourceResult(raw, { ...metadata, uri: target.uri }, maxResultBytes);
    case "completion":
      return toCompletionResult(raw, metadata, maxResultBytes);
  }
}

/** A name that the caller did not write is the server's: masked like all that it says. */
function shownName(name: string, { asked, prepared }: Outcome): string {
  return "name" in asked && asked.name === name ? name : prepared.resolved.redactor.text(name);
}
