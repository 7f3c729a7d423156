import { type AuditedAnswer, auditCall } from "../audit/audit-call.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { ScopedServer } from "./load.ts";
import type { OperationContext } from "./operation-context.ts";
import type { PreparedServer } from "./prepare.ts";

/** One operation on one server that has ended. */
export interface EndedOperation {
  /** MCP method. */
  readonly method: string;
  /** Name of tool or prompt as the caller wrote it. */
  readonly tool: string | null;
  /** Null where none in scope was meant. */
  readonly server: ScopedServer | null;
  /** Null, or rejected, where the server was never ready. */
  readonly prepared: Promise<PreparedServer> | null;
  readonly outcome: AuditedAnswer | GatewayError;
  readonly startedAt: number;
}

/** Writes the audit line of an operation, after its answer. */
export function auditOperation(ended: EndedOperation, context: OperationContext): void {
  context.afterAnswer(write(ended, context.clock(), context));
}

async function write(
  ended: EndedOperation,
  endedAt: number,
  { requestId, caller, subject, deps }: OperationContext,
): Promise<void> {
  const prepared = await ended.prepared?.catch(() => null);
  const secrets = prepared == null ? [] : [...prepared.resolved.stored.values.keys()];
  const { server, method, tool, outcome, startedAt } = ended;
  const shownTool =
    tool === null || prepared == null ? tool : prepared.resolved.redactor.text(tool);
  const facts = { server, method, tool: shownTool, outcome, startedAt, endedAt };
  deps.audit(await auditCall({ requestId, caller, subject, secrets, ...facts }));
}

/** What an operation that broke is written down as: nobody knows how far it came. */
export function brokenOutcome(thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown;
  return new GatewayError("INTERNAL", "Something failed inside Gangway.", { executed: "maybe" });
}
