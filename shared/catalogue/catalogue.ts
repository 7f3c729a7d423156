import { sha256Hex } from "../api/api-key.ts";
import type * as z from "zod";
import type {
  cataloguePromptSchema,
  catalogueResourceSchema,
  catalogueResourceTemplateSchema,
  catalogueToolSchema,
} from "../api/catalogue-schema.ts";
import type { ReadonlyDeep } from "../api/readonly-deep.ts";
import type { Warning } from "../content/call-result.ts";
import { isNestedDeeper, maxNesting } from "../content/nesting.ts";
import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from "../mcp/session-types.ts";
import { promptAllowed, toolAllowed, type AllowFields } from "./allowed.ts";
import { publicNames, qualifiedName } from "./names.ts";
import { stripHeaderMarks } from "./strip-header-marks.ts";

export type CatalogueTool = ReadonlyDeep<z.infer<typeof catalogueToolSchema>>;
export type CataloguePrompt = ReadonlyDeep<z.infer<typeof cataloguePromptSchema>>;
export type CatalogueResource = ReadonlyDeep<z.infer<typeof catalogueResourceSchema>>;
export type CatalogueResourceTemplate = ReadonlyDeep<
  z.infer<typeof catalogueResourceTemplateSchema>
>;
/** One entry of any list. */
export type CatalogueEntry =
  | CatalogueTool
  | CataloguePrompt
  | CatalogueResource
  | CatalogueResourceTemplate;

/** What the catalogue needs to know of a server's config. */
export type CatalogueServer = AllowFields & { readonly name: string };

/** Entries in the server's order; what could not be listed is told in `warnings`. */
export interface CatalogueOf<Entry> {
  readonly entries: readonly Entry[];
  readonly warnings: readonly Warning[];
}

/**
 * The entries of `/v1/tools/list` for one server's tools. `tools` must be the whole list: names
 * are given over all of it, so that allowing or disabling a tool renames no other. Definitions
 * pass unchanged but for `x-mcp-header`: the same list gives the same bytes.
 */
export async function catalogueTools(
  server: CatalogueServer,
  tools: readonly ToolDefinition[],
): Promise<CatalogueOf<CatalogueTool>> {
  const { kept, warnings } = listable(tools, byName);
  const names = await publicNames(kept.map(({ name }) => name));
  const allowed = kept.filter(({ name }) => toolAllowed(server, name).ok);
  const entries = allowed.map(async (tool) => ({
    ...(await namesOf(server.name, tool, names)),
    input_schema: stripHeaderMarks(tool.inputSchema),
    output_schema: tool.outputSchema === undefined ? null : stripHeaderMarks(tool.outputSchema),
    annotations: tool.annotations ?? null,
    meta: tool._meta ?? null,
  }));
  return { entries: await Promise.all(entries), warnings };
}

/** The entries of `/v1/prompts/list` for one server's prompts; they have their own namespace. */
export async function cataloguePrompts(
  server: CatalogueServer,
  prompts: readonly PromptDefinition[],
): Promise<CatalogueOf<CataloguePrompt>> {
  const { kept, warnings } = listable(prompts, byName);
  const names = await publicNames(kept.map(({ name }) => name));
  const allowed = kept.filter(({ name }) => promptAllowed(server, name).ok);
  const entries = allowed.map(async (prompt) => ({
    ...(await namesOf(server.name, prompt, names)),
    arguments: prompt.arguments ?? null,
    meta: prompt._meta ?? null,
  }));
  return { entries: await Promise.all(entries), warnings };
}

/** The entries of `/v1/resources/list` for one server's resources. */
export function catalogueResources(
  server: CatalogueServer,
  resources: readonly ResourceDefinition[],
): CatalogueOf<CatalogueResource> {
  const { kept, warnings } = listable(resources, ({ uri }) => uri);
  const entries = kept.map((resource) => ({
    uri: resource.uri,
    ...described(server.name, resource),
    size: resource.size ?? null,
  }));
  return { entries, warnings };
}

/** The entries of `/v1/resources/templates/list` for one server's templates. */
export function catalogueResourceTemplates(
  server: CatalogueServer,
  templates: readonly ResourceTemplateDefinition[],
): CatalogueOf<CatalogueResourceTemplate> {
  const { kept, warnings } = listable(templates, ({ uriTemplate }) => uriTemplate);
  const entries = kept.map((template) => ({
    uri_template: template.uriTemplate,
    ...described(server.name, template),
  }));
  return { entries, warnings };
}

/** SHA-256 (hex) of the entries as they are answered: equal catalogues in equal order, equal hash. */
export function catalogueHash(entries: readonly CatalogueEntry[]): Promise<string> {
  return sha256Hex(JSON.stringify(entries));
}

type KeyOf<Item> = (item: Item) => string;

const byName: KeyOf<{ readonly name: string }> = ({ name }) => name;

/** A second definition under one key could never be used, and a bottomless one never be answered. */
function listable<Item>(
  items: readonly Item[],
  keyOf: KeyOf<Item>,
): { kept: readonly Item[]; warnings: readonly Warning[] } {
  const seen = new Set<string>();
  const warnings: Warning[] = [];
  const kept = items.filter((item) => {
    const key = keyOf(item);
    const fault = seen.has(key) ? duplicate(key) : faultOf(item, key);
    seen.add(key);
    if (fault !== undefined) warnings.push(fault);
    return fault === undefined;
  });
  return { kept, warnings };
}

function duplicate(key: string): Warning {
  return {
    code: "NAME_DUPLICATE",
    message: `'${key}' is listed more than once; the first definition is kept.`,
  };
}

function faultOf(item: unknown, key: string): Warning | undefined {
  if (!isNestedDeeper(item, maxNesting)) return undefined;
  return {
    code: "DEFINITION_TOO_DEEP",
    message: `The definition of '${key}' is nested more than ${maxNesting} levels deep and is left out.`,
  };
}

function described(server: string, item: ResourceDefinition | ResourceTemplateDefinition) {
  return {
    name: item.name,
    server,
    title: item.title ?? null,
    description: item.description ?? null,
    mime_type: item.mimeType ?? null,
    annotations: item.annotations ?? null,
    meta: item._meta ?? null,
  };
}

async function namesOf(
  server: string,
  item: ToolDefinition | PromptDefinition,
  names: ReadonlyMap<string, string>,
) {
  return {
    name: names.get(item.name) ?? item.name,
    qualified_name: await qualifiedName(server, item.name),
    server,
    original_name: item.name,
    title: item.title ?? null,
    description: item.description ?? null,
  };
}
