import type { Warning } from "../content/call-result.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import type { PromptDefinition, ToolDefinition } from "./session-types.ts";

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
  return JSON.stringify(name.slice(0, 80));
}
