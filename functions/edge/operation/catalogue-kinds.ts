import {
  type CatalogueEntry,
  type CatalogueOf,
  cataloguePrompts,
  catalogueResources,
  catalogueResourceTemplates,
  type CatalogueServer,
  catalogueTools,
} from "../../../shared/catalogue/catalogue.ts";
import type { ServerConfig } from "../../../shared/config/server-config.ts";
import type { ListMethod } from "../../../shared/mcp/operation.ts";

/** What a catalogue lists: one row for each of MCP's lists. */
export interface CatalogueKind {
  readonly method: ListMethod;
  /** The config lets this list be asked for. */
  readonly enabled: (config: ServerConfig) => boolean;
  /** The answer's entries for the items of one server's list, which its session has read. */
  readonly entries: (
    server: CatalogueServer,
    items: readonly unknown[],
  ) => CatalogueOf<CatalogueEntry> | Promise<CatalogueOf<CatalogueEntry>>;
}

/** By the answer's member that holds the entries. */
export const catalogueKinds = {
  tools: kind("tools/list", catalogueTools, ({ load_tools }) => load_tools),
  prompts: kind("prompts/list", cataloguePrompts, ({ load_prompts }) => load_prompts),
  resources: kind("resources/list", catalogueResources),
  resource_templates: kind("resources/templates/list", catalogueResourceTemplates),
} as const satisfies Record<string, CatalogueKind>;
export type CatalogueMember = keyof typeof catalogueKinds;

function kind<Item>(
  method: ListMethod,
  entries: (
    server: CatalogueServer,
    items: readonly Item[],
  ) => CatalogueOf<CatalogueEntry> | Promise<CatalogueOf<CatalogueEntry>>,
  enabled: CatalogueKind["enabled"] = () => true,
): CatalogueKind {
  return {
    method,
    enabled,
    // The session code, at the edge or at the host, has set malformed items aside.
    entries: (server, items) => entries(server, items as readonly Item[]),
  };
}
