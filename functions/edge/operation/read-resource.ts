import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { isJsonObject } from "../../../shared/mcp/json.ts";
import type { ListMethod } from "../../../shared/mcp/operation.ts";
import type { OperationOptions } from "../../../shared/mcp/session-types.ts";
import { mayMatchTemplate } from "../../../shared/mcp/uri-template.ts";
import { listDefinitions } from "./list-definitions.ts";
import type { OperationContext } from "./operation-context.ts";
import type { PreparedServer } from "./prepare.ts";

/** Asking the lists whether a resource exists may take this long each. */
const longestLookupMs = 5_000;

export interface ResourceRead<Result> {
  readonly uri: string;
  readonly read: () => Promise<Result>;
  readonly options: OperationOptions;
}

/**
 * Reads a resource. Servers answer a URI that they do not have by the error of wrong arguments
 * too (revision 2026-07-28 tells them to); their lists then tell which of the two it is.
 * @throws GatewayError RESOURCE_NOT_FOUND, and what `read` throws
 */
export async function readResource<Result>(
  { uri, read, options }: ResourceRead<Result>,
  prepared: PreparedServer,
  context: OperationContext,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== "INVALID_PARAMS") throw error;
    if (!(await isAbsent(uri, options, prepared, context))) throw error;
    const { name } = prepared.server;
    const text = `Resource '${uri.slice(0, 500)}' not found on server '${name}'.`;
    const details = { uri: uri.slice(0, 500), ...error.details };
    throw new GatewayError("RESOURCE_NOT_FOUND", text, { details, cause: error });
  }
}

/** Neither list has it; false where a list cannot be had, or is not whole. */
async function isAbsent(
  uri: string,
  options: OperationOptions,
  prepared: PreparedServer,
  context: OperationContext,
): Promise<boolean> {
  const { signal, timeoutMs } = options;
  const limits = {
    timeoutMs: Math.min(longestLookupMs, timeoutMs),
    ...(signal === undefined ? {} : { signal }),
  };
  const list = async (method: ListMethod, member: string): Promise<string[]> => {
    const wish = { method, options: limits, refresh: false };
    const { items, warnings } = await listDefinitions(prepared, wish, context);
    if (warnings.some(({ code }) => code !== "FIELD_REPAIRED")) throw incomplete();
    return items.flatMap((item) => {
      const value: unknown = isJsonObject(item) ? item[member] : undefined;
      return typeof value === "string" ? [value] : [];
    });
  };
  try {
    if ((await list("resources/list", "uri")).includes(uri)) return false;
    const templates = await list("resources/templates/list", "uriTemplate");
    return !templates.some((template) => mayMatchTemplate(uri, template));
  } catch {
    return false; // Nothing is known: the server's own answer stands.
  }
}

function incomplete(): GatewayError {
  return new GatewayError("RESPONSE_INVALID", "The list is not whole.");
}
