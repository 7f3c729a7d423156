import type { ToolsListRequest } from "../../../shared/api/requests.ts";
import {
  type CatalogueTool,
  catalogueHash,
  catalogueTools,
} from "../../../shared/catalogue/catalogue.ts";
import { type ErrorBody, errorBody } from "../../../shared/errors/error-body.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Warning } from "../../../shared/content/call-result.ts";
import { load, type ScopedServer, type Source } from "./load.ts";
import { type OperationContext, timed } from "./operation-context.ts";
import { type PreparedServer, prepare } from "./prepare.ts";
import { redactError } from "./redact-error.ts";
import { mayBeRotated, renew } from "./renew.ts";
import { select } from "./select.ts";

/** How one server fared in a list. */
export interface ServerListing {
  readonly name: string;
  readonly source: Source;
  readonly ok: boolean;
  readonly transport: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly protocol_version: string | null;
  /** How many of the tools are this server's. */
  readonly tools: number;
  readonly warnings: readonly Warning[];
  readonly error?: ErrorBody;
}

export interface ToolList {
  /** At least one server answered, or none was in scope. */
  readonly success: boolean;
  readonly tools: readonly CatalogueTool[];
  readonly servers: readonly ServerListing[];
  readonly catalogue_hash: string;
  readonly metadata: { readonly request_id: string; readonly duration_ms: number };
}

interface Listed {
  readonly listing: ServerListing;
  readonly tools: readonly CatalogueTool[];
}

/**
 * The tools of every server in scope, listed side by side; a server that fails is told in
 * `servers` and costs only its own tools.
 * @throws GatewayError for what concerns the request as a whole
 */
export async function listTools(
  request: ToolsListRequest,
  context: OperationContext,
): Promise<ToolList> {
  const startedAt = context.clock();
  const servers = load(request, context);
  const chosen = request.servers?.map((name) => select(servers, name)) ?? servers;
  const listed = await Promise.all(
    [...new Set(chosen)].map((scoped) => listServer(scoped, request, context)),
  );
  const tools = listed.flatMap((server) => server.tools);
  return {
    success: listed.length === 0 || listed.some(({ listing }) => listing.ok),
    tools,
    servers: listed.map(({ listing }) => listing),
    catalogue_hash: await catalogueHash(tools),
    metadata: { request_id: context.requestId, duration_ms: context.clock() - startedAt },
  };
}

async function listServer(
  scoped: ScopedServer,
  request: ToolsListRequest,
  context: OperationContext,
): Promise<Listed> {
  try {
    const prepared = await prepare(scoped, request.inputs ?? {}, context);
    return await listRenewed(prepared, request, context);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return {
      tools: [],
      listing: {
        ...listingOf(scoped),
        ok: false,
        error: errorBody(error.with({ server: scoped.name })),
      },
    };
  }
}

/** A list that the server refused is asked for once more where a secret was rotated. */
async function listRenewed(
  prepared: PreparedServer,
  request: ToolsListRequest,
  context: OperationContext,
): Promise<Listed> {
  try {
    return await listPrepared(prepared, request, context);
  } catch (error) {
    if (!mayBeRotated(error, prepared)) throw error;
    const renewed = await renew(prepared, request.inputs ?? {}, context);
    if (renewed === null) throw error;
    return listPrepared(renewed, request, context);
  }
}

async function listPrepared(
  { server, resolved, open }: PreparedServer,
  request: ToolsListRequest,
  context: OperationContext,
): Promise<Listed> {
  const timeoutMs = (request.options.timeout_s ?? server.config.request_timeout) * 1000;
  try {
    const { items, warnings } = server.config.load_tools
      ? await timed(context, "run", () => open.listTools({ timeoutMs, signal: context.signal }))
      : { items: [], warnings: [] };
    const { data: catalogue } = resolved.redactor.data(await catalogueTools(server.config, items));
    const { era, protocolVersion } = open.facts();
    return {
      tools: catalogue.entries,
      listing: {
        ...listingOf(server),
        era,
        protocol_version: protocolVersion,
        tools: catalogue.entries.length,
        warnings: [...warnings, ...catalogue.warnings],
      },
    };
  } catch (error) {
    throw error instanceof GatewayError ? redactError(error, resolved.redactor) : error;
  } finally {
    context.afterAnswer(open.close());
  }
}

function listingOf(server: ScopedServer): ServerListing {
  return {
    name: server.name,
    source: server.source,
    ok: true,
    transport: server.config?.transport ?? null,
    era: null,
    protocol_version: null,
    tools: 0,
    warnings: [],
  };
}
