import type * as z from "zod";
import type { serverListingSchema } from "../../../shared/api/list-answers.ts";
import type { ListRequest } from "../../../shared/api/list-requests.ts";
import type { ReadonlyDeep } from "../../../shared/api/readonly-deep.ts";
import { type CatalogueEntry, catalogueHash } from "../../../shared/catalogue/catalogue.ts";
import { errorBody } from "../../../shared/errors/error-body.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { auditOperation, brokenOutcome } from "./audit-operation.ts";
import { catalogueKinds, type CatalogueMember } from "./catalogue-kinds.ts";
import { listDefinitions } from "./list-definitions.ts";
import type { AuditedAnswer } from "../audit/audit-call.ts";
import { load, type ScopedServer } from "./load.ts";
import { apart, type OperationContext, timed } from "./operation-context.ts";
import { type PreparedServer, prepare, type ServerUse } from "./prepare.ts";
import { redactError } from "./redact-error.ts";
import { mayBeRotated, renew } from "./renew.ts";
import { selectSeveral, type UnknownServer } from "./select.ts";
import { joinMetadata, type ServerEvents } from "./server-events.ts";
import { timeLimit } from "./time-limit.ts";

/** How one server fared; the answer adds how many of the entries are its own. */
type Listing = Omit<ReadonlyDeep<z.infer<typeof serverListingSchema>>, "tools">;

/** The answer of a list; `member` of it holds the entries, and of each server their number. */
export interface CatalogueAnswer {
  /** At least one server answered, or none was in scope. */
  readonly success: boolean;
  readonly servers: readonly Listing[];
  readonly catalogue_hash: string;
  readonly metadata: { readonly request_id: string; readonly duration_ms: number };
  readonly [member: string]: unknown;
}

interface Listed {
  readonly listing: Listing;
  readonly entries: readonly CatalogueEntry[];
  readonly events: ServerEvents | null;
}

/**
 * One list of every server in scope, asked for side by side; a server that fails is told in
 * `servers` and costs only its own entries.
 * @throws GatewayError for what concerns the request as a whole, a limit of the tenant among it
 */
export async function listCatalogue(
  member: CatalogueMember,
  request: ListRequest,
  context: OperationContext,
): Promise<CatalogueAnswer> {
  const startedAt = context.clock();
  const servers = load(request, context);
  await context.deps.limits.admit(context.caller.tenant, 1);
  const { known, unknown } = selectSeveral(servers, request.servers ?? servers.map(nameOf));
  const answers = await Promise.all(
    known.map((scoped) => listServer(scoped, { member, request }, context)),
  );
  const listed = [...answers, ...unknown.map(unknownListed)];
  const entries = listed.flatMap((server) => server.entries);
  return {
    success: listed.length === 0 || listed.some(({ listing }) => listing.ok),
    [member]: entries,
    servers: listed.map(({ listing, entries: own }) => ({ ...listing, [member]: own.length })),
    catalogue_hash: await catalogueHash(entries),
    metadata: {
      request_id: context.requestId,
      duration_ms: context.clock() - startedAt,
      ...joinMetadata(listed.flatMap(({ events }) => (events === null ? [] : [events]))),
    },
  };
}

function nameOf({ name }: ScopedServer): string {
  return name;
}

function unknownListed({ name, error }: UnknownServer): Listed {
  const nowhere = { name, source: null, config: null };
  const listing = { ...listingOf(nowhere), ok: false, error: errorBody(error) };
  return { entries: [], listing, events: null };
}

interface Wish {
  readonly member: CatalogueMember;
  readonly request: ListRequest;
}

function useOf({ request }: Wish): ServerUse {
  return { inputs: request.inputs ?? {}, capabilities: request.options.capabilities };
}

async function listServer(
  scoped: ScopedServer,
  wish: Wish,
  context: OperationContext,
): Promise<Listed> {
  const startedAt = context.clock();
  const preparing = prepare(scoped, useOf(wish), context);
  const { method } = catalogueKinds[wish.member];
  const ended = { method, tool: null, server: scoped, prepared: preparing, startedAt };
  try {
    const prepared = await preparing;
    const listed = await apart(context, (own) => listRenewed(prepared, wish, own));
    auditOperation({ ...ended, outcome: auditedList(listed, prepared) }, context);
    return listed;
  } catch (error) {
    auditOperation({ ...ended, outcome: brokenOutcome(error) }, context);
    if (!(error instanceof GatewayError)) throw error;
    const told = errorBody(error.with({ server: scoped.name }));
    const listing = { ...listingOf(scoped), ok: false, error: told };
    return { entries: [], listing, events: null };
  }
}

function auditedList({ listing }: Listed, { open }: PreparedServer): AuditedAnswer {
  const { upstreamRequests, warm, timingsMs } = open.facts();
  const metadata = {
    era: listing.era,
    upstream_requests: upstreamRequests,
    masked: 0,
    warm,
    timings_ms: timingsMs,
  };
  return { metadata };
}

/** A list that the server refused is asked for once more where a secret was rotated. */
async function listRenewed(
  prepared: PreparedServer,
  wish: Wish,
  context: OperationContext,
): Promise<Listed> {
  try {
    return await listPrepared(prepared, wish, context);
  } catch (error) {
    if (!mayBeRotated(error, prepared)) throw error;
    const renewed = await renew(prepared, useOf(wish), context);
    if (renewed === null) throw error;
    return listPrepared(renewed, wish, context);
  }
}

async function listPrepared(
  prepared: PreparedServer,
  { member, request }: Wish,
  context: OperationContext,
): Promise<Listed> {
  const { server, resolved, open, events } = prepared;
  const { timeout_s, refresh, capabilities } = request.options;
  const { timeoutMs, warnings } = timeLimit(
    server,
    timeout_s,
    context.deps.settings.maxOperationMs,
  );
  const kind = catalogueKinds[member];
  const options = {
    timeoutMs,
    signal: context.signal,
    ...(context.logLevel === null ? {} : { logLevel: context.logLevel }),
    ...(capabilities === undefined ? {} : { capabilities }),
  };
  try {
    const list = kind.enabled(server.config)
      ? await timed(context, "run", () =>
          listDefinitions(prepared, { method: kind.method, options, refresh }, context),
        )
      : { items: [], warnings: [], era: null, protocolVersion: null, cached: false };
    // Before names are made of it: what is changed or cut could no longer be masked.
    const { items, warnings: told } = resolved.redactor.data(list).data;
    const catalogue = await kind.entries(server.config, items);
    return {
      entries: catalogue.entries,
      events,
      listing: {
        ...listingOf(server),
        era: list.era,
        protocol_version: list.protocolVersion,
        cached: list.cached,
        warnings: [...warnings, ...resolved.warnings, ...told, ...catalogue.warnings],
      },
    };
  } catch (error) {
    throw error instanceof GatewayError ? redactError(error, resolved.redactor) : error;
  } finally {
    context.afterAnswer(open.close());
  }
}

function listingOf(
  server: Pick<ScopedServer, "name" | "config"> & Pick<Listing, "source">,
): Listing {
  return {
    name: server.name,
    source: server.source,
    ok: true,
    transport: server.config?.transport ?? null,
    era: null,
    protocol_version: null,
    cached: false,
    warnings: [],
  };
}
