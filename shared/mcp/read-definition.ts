import type { Warning } from "../content/call-result.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import type {
  PromptDefinition,
  ResourceDefinition,
  ResourceTemplateDefinition,
  ToolDefinition,
} from "./session-types.ts";
import { wholeOrLength } from "../errors/whole-or-length.ts";

/** Reads one item of a list; null sets it aside. */
export type DefinitionReader<Item> = (
  item: unknown,
  place: string,
  warnings: Warning[],
) => Item | null;

type Check = (value: unknown) => boolean;
const isText: Check = (value) => typeof value === "string";

const toolFields = {
  title: isText,
  description: isText,
  outputSchema: isJsonObject,
  annotations: isJsonObject,
  _meta: isJsonObject,
} satisfies Record<string, Check>;

const promptFields = {
  title: isText,
  description: isText,
  arguments: (value: unknown) => Array.isArray(value) && value.every(isJsonObject),
  _meta: isJsonObject,
} satisfies Record<string, Check>;

const templateFields = {
  title: isText,
  description: isText,
  mimeType: isText,
  annotations: isJsonObject,
  _meta: isJsonObject,
} satisfies Record<string, Check>;

const resourceFields = {
  ...templateFields,
  size: (value: unknown) => typeof value === "number",
} satisfies Record<string, Check>;

/** A tool as the server sent it; a missing input schema becomes one that takes any object. */
export const readTool: DefinitionReader<ToolDefinition> = (item, place, warnings) => {
  const named = readNamed(item, place, toolFields, warnings);
  if (named === null) return null;
  if (isJsonObject(named["inputSchema"])) return { ...named, inputSchema: named["inputSchema"] };
  warnings.push({
    code: "FIELD_REPAIRED",
    message: `Tool ${quote(named.name)} has no input schema; it is listed as taking any object.`,
  });
  return { ...named, inputSchema: { type: "object" } };
};

/** A prompt as the server sent it. */
export const readPrompt: DefinitionReader<PromptDefinition> = (item, place, warnings) =>
  readNamed(item, place, promptFields, warnings);

/** A resource as the server sent it; one without a name is known by its URI. */
export const readResource: DefinitionReader<ResourceDefinition> = (item, place, warnings) => {
  const uri = textMember(item, "uri", place, warnings);
  if (uri === null) return null;
  const named = readNamed(nameBy(item, uri), place, resourceFields, warnings);
  return named === null ? null : { ...named, uri };
};

/** A resource template as the server sent it; one without a name is known by its template. */
export const readResourceTemplate: DefinitionReader<ResourceTemplateDefinition> = (
  item,
  place,
  warnings,
) => {
  const uriTemplate = textMember(item, "uriTemplate", place, warnings);
  if (uriTemplate === null) return null;
  const named = readNamed(nameBy(item, uriTemplate), place, templateFields, warnings);
  return named === null ? null : { ...named, uriTemplate };
};

function textMember(
  item: unknown,
  member: string,
  place: string,
  warnings: Warning[],
): string | null {
  const value = isJsonObject(item) ? item[member] : undefined;
  if (typeof value === "string" && value !== "") return value;
  warnings.push({ code: "ITEM_UNREADABLE", message: `${place} has no ${member}; it is left out.` });
  return null;
}

function nameBy(item: unknown, fallback: string): unknown {
  if (!isJsonObject(item)) return item;
  const { name } = item;
  return typeof name === "string" && name !== "" ? item : { ...item, name: fallback };
}

/** The item without optional fields of a wrong type; null when it has no usable name. */
function readNamed(
  item: unknown,
  place: string,
  fields: Readonly<Record<string, Check>>,
  warnings: Warning[],
): ({ readonly name: string } & JsonObject) | null {
  const name = isJsonObject(item) ? item["name"] : undefined;
  if (!isJsonObject(item) || typeof name !== "string" || name === "") {
    warnings.push({ code: "ITEM_UNREADABLE", message: `${place} has no name; it is left out.` });
    return null;
  }
  const kept = Object.entries(item).filter(([field, value]) => {
    const check = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (check === undefined || check(value)) return true;
    if (value !== null) {
      warnings.push({
        code: "FIELD_REPAIRED",
        message: `${place} (${quote(name)}): ${field} has the wrong type and is left out.`,
      });
    }
    return false;
  });
  return { ...Object.fromEntries(kept), name };
}

function quote(name: string): string {
  return JSON.stringify(wholeOrLength(name, 80));
}
