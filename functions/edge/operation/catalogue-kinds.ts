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
import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from "../../../shared/mcp/session-types.ts";

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
  // The session code, at the edge or at the host, has set malformed items aside.
  tools: {
    method: "tools/list",
    enabled: ({ load_tools }) => load_tools,
    entries: (server, items) => catalogueTools(server, items as readonly ToolDefinition[]),
  },
  prompts: {
    method: "prompts/list",
    enabled: ({ load_prompts }) => load_prompts,
    entries: (server, items) => cataloguePrompts(server, items as readonly PromptDefinition[]),
  },
  resources: {
    method: "resources/list",
    enabled: () => true,
    entries: (server, items) => catalogueResources(server, items as readonly ResourceDefinition[]),
  },
  resource_templates: {
    method: "resources/templates/list",
    enabled: () => true,
    entries: (server, items) =>
      catalogueResourceTemplates(server, items as readonly ResourceTemplateDefinition[]),
  },
} as const satisfies Record<string, CatalogueKind>;
export type CatalogueMember = keyof typeof catalogueKinds;
