import type { ConfigFields } from "../../../shared/api/request-fields.ts";
import type { CallOptions } from "../../../shared/api/requests.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { OperationAnswer } from "../operation/answer.ts";
import type { OperationContext } from "../operation/operation-context.ts";
import { type Call, runCalls } from "../operation/run-calls.ts";

/** Runs the one operation of a request. The promise rejects with its failure. */
export async function runSingle(
  body: ConfigFields & { readonly options: CallOptions },
  call: Call,
  context: OperationContext,
): Promise<OperationAnswer> {
  const [outcome] = await runCalls({ fields: body, calls: [call], options: body.options }, context);
  if (outcome === undefined) throw new GatewayError("INTERNAL", "An operation had no outcome.");
  if (outcome instanceof GatewayError) throw outcome;
  return outcome;
}
