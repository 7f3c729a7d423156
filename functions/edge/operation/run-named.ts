import { type Allowed, promptAllowed, toolAllowed } from "../../../shared/catalogue/allowed.ts";
import { findOriginal, publicNames } from "../../../shared/catalogue/names.ts";
import type { ServerConfig } from "../../../shared/config/server-config.ts";
import type { ErrorCode } from "../../../shared/errors/catalogue.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { isJsonObject } from "../../../shared/mcp/json.ts";
import type { ListMethod } from "../../../shared/mcp/operation.ts";
import type { OperationOptions } from "../../../shared/mcp/session-types.ts";
import { listDefinitions } from "./list-definitions.ts";
import { nearestNames } from "./nearest-names.ts";
import type { OperationContext } from "./operation-context.ts";
import type { PreparedServer } from "./prepare.ts";
import { wholeOrLength } from "../../../shared/errors/whole-or-length.ts";

interface Kind {
  /** Begins sentences. */
  readonly word: string;
  readonly list: ListMethod;
  readonly allowed: (config: ServerConfig, original: string) => Allowed;
  readonly notAllowed: ErrorCode;
  readonly notFound: ErrorCode;
}

const kinds = {
  tool: {
    word: "Tool",
    list: "tools/list",
    allowed: toolAllowed,
    notAllowed: "TOOL_NOT_ALLOWED",
    notFound: "TOOL_NOT_FOUND",
  },
  prompt: {
    word: "Prompt",
    list: "prompts/list",
    allowed: promptAllowed,
    notAllowed: "PROMPT_NOT_ALLOWED",
    notFound: "PROMPT_NOT_FOUND",
  },
} as const satisfies Record<string, Kind>;

export interface NamedUse<Result> {
  readonly kind: keyof typeof kinds;
  /** Original, public or qualified name. */
  readonly name: string;
  /** Uses the tool or prompt of that original name. */
  readonly use: (original: string) => Promise<Result>;
  readonly options: OperationOptions;
}

/**
 * Uses a tool or prompt by any of its names. A legal original name is its own public name, so most
 * uses need no list. Where the server has none of that name, or the config does not allow it as
 * written, the name may be a changed one: the server's list then gives the original.
 * @throws GatewayError TOOL_NOT_ALLOWED or PROMPT_NOT_ALLOWED naming the field that excludes it,
 * and what `use` throws
 */
export async function runNamed<Result>(
  { kind: name, ...named }: NamedUse<Result>,
  prepared: PreparedServer,
  context: OperationContext,
): Promise<Result> {
  const kind = kinds[name];
  try {
    refuseExcluded(kind, named.name, prepared);
    return await named.use(named.name);
  } catch (error) {
    if (!mayBeChangedName(error, kind, named.name, prepared)) throw error;
    const list = { method: kind.list, options: named.options, refresh: false };
    const { items } = await listDefinitions(prepared, list, context).catch(() => ({ items: null }));
    if (items === null) throw error; // Without a list nothing more is known.
    const names = namesOf(items);
    // As the list shows them: a changed name could no longer be masked.
    const shown = names.map((each) => prepared.resolved.redactor.text(each));
    const found = await findOriginal(named.name, prepared.server.name, shown);
    if (found === undefined)
      throw await withNearest(error, { kind, name: named.name }, shown, prepared);
    const original = names[shown.indexOf(found)] ?? found;
    if (original === named.name) throw error;
    refuseExcluded(kind, original, prepared);
    return named.use(original);
  }
}

/** Not found, with the names among those that are listed which may have been meant. */
async function withNearest(
  error: GatewayError,
  { kind, name }: { readonly kind: Kind; readonly name: string },
  originals: readonly string[],
  { server }: PreparedServer,
): Promise<GatewayError> {
  if (error.code !== kind.notFound) return error;
  const listed = [...(await publicNames(originals))].filter(
    ([original]) => kind.allowed(server.config, original).ok,
  );
  const nearest = nearestNames(
    name,
    listed.map(([, publicName]) => publicName),
  );
  if (nearest.length === 0) return error;
  const names = nearest.map((each) => `'${each}'`).join(", ");
  const hint = `Did you mean ${names}? ${error.hint}`;
  return error.with({ hint, details: { ...error.details, nearest } });
}

/** The set that is used is the set that is listed. */
function refuseExcluded(kind: Kind, original: string, { server }: PreparedServer): void {
  const allowed = kind.allowed(server.config, original);
  if (allowed.ok) return;
  const ofKey = allowed.field === "tools_of_key";
  const where = ofKey ? "the `tools` of the key for" : `'${allowed.field}' of`;
  throw new GatewayError(
    kind.notAllowed,
    `${kind.word} '${wholeOrLength(original, 200)}' is excluded by ${where} server '${server.name}'.`,
    {
      server: server.name,
      details: { field: allowed.field },
      ...(ofKey ? { hint: "Ask the operator for a key that may use it." } : {}),
    },
  );
}

/** Fields that say what may be used: the original of a changed name may be among it. */
const listFields: ReadonlySet<string> = new Set(["allowed_tools", "tools_of_key"]);

/** Nothing ran under this name, and no list of the config names it. */
function mayBeChangedName(
  error: unknown,
  kind: Kind,
  name: string,
  { server }: PreparedServer,
): error is GatewayError {
  if (!(error instanceof GatewayError)) return false;
  if (error.code === kind.notFound) return true;
  const allowed = kind.allowed(server.config, name);
  return error.code === kind.notAllowed && !allowed.ok && listFields.has(allowed.field);
}

function namesOf(items: readonly unknown[]): string[] {
  return items.flatMap((item) =>
    isJsonObject(item) && typeof item["name"] === "string" ? [item["name"]] : [],
  );
}
