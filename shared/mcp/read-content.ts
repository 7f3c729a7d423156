import type { Warning } from "../content/call-result.ts";
import { readBase64 } from "./base64.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { wholeOrLength } from "../errors/whole-or-length.ts";

/** `_meta` key of a text block that stands for a block that could not be read. */
export const unrecognizedKey = "dev.gangway/unrecognized";

/** What a block becomes is larger than the `0,` that a hostile server can write in its place. */
const maxBlocks = 10_000;

/** One content block as an MCP client may rely on it, or null when it is none. */
type BlockReader = (block: JsonObject) => JsonObject | null;

const blockReaders: Readonly<Record<string, BlockReader>> = {
  text: (block) => (typeof block["text"] === "string" ? block : null),
  image: readMedia,
  audio: readMedia,
  resource: readEmbeddedResource,
  resource_link: (block) =>
    typeof block["uri"] === "string" && typeof block["name"] === "string" ? block : null,
};

/**
 * Every block of a result's `content`, in order. An unknown or malformed block becomes a text
 * block that holds its JSON, flagged by `_meta[unrecognizedKey]`; the others pass as they are.
 */
export function readContent(content: unknown, warnings: Warning[]): JsonObject[] {
  if (content === undefined || content === null) return [];
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  if (blocks !== content) {
    warnings.push({
      code: "FIELD_REPAIRED",
      message: "content was one block, not a list of blocks.",
    });
  }
  return boundedBlocks(blocks, "content", warnings).map((block, index) =>
    readBlock(block, `content[${index}]`, warnings),
  );
}

/** As many blocks of one result as are read; `place` names the list in the warning. */
export function boundedBlocks(
  blocks: readonly unknown[],
  place: string,
  warnings: Warning[],
): readonly unknown[] {
  if (blocks.length <= maxBlocks) return blocks;
  const rest = blocks.length - maxBlocks;
  const message = `${place} holds more than ${maxBlocks} entries; ${rest} are left out.`;
  warnings.push({ code: "CONTENT_TOO_LONG", message });
  return blocks.slice(0, maxBlocks);
}

/** One block; `place` names it in warnings. */
export function readBlock(block: unknown, place: string, warnings: Warning[]): JsonObject {
  const read = isJsonObject(block) ? readKnownBlock(block, place, warnings) : null;
  if (read !== null) return read;
  const type = isJsonObject(block) ? block["type"] : undefined;
  const what =
    typeof type === "string" ? `of type ${JSON.stringify(wholeOrLength(type, 40))} ` : "";
  warnings.push({
    code: "BLOCK_UNRECOGNIZED",
    message: `${place} ${what}is no valid MCP content block; it is given as text.`,
  });
  return { type: "text", text: JSON.stringify(block) ?? "", _meta: { [unrecognizedKey]: true } };
}

function readKnownBlock(block: JsonObject, place: string, warnings: Warning[]): JsonObject | null {
  const type = block["type"];
  if (typeof type !== "string" || !Object.hasOwn(blockReaders, type)) return null;
  const read = blockReaders[type]?.(block) ?? null;
  return read === null ? null : withReadableExtras(read, place, warnings);
}

function readMedia(block: JsonObject): JsonObject | null {
  const data = readBase64(block["data"]);
  if (data === null || typeof block["mimeType"] !== "string") return null;
  return data === block["data"] ? block : { ...block, data };
}

function readEmbeddedResource(block: JsonObject): JsonObject | null {
  const resource = block["resource"];
  if (!isJsonObject(resource) || typeof resource["uri"] !== "string") return null;
  if (typeof resource["text"] === "string") return block;
  const blob = readBase64(resource["blob"]);
  if (blob === null) return null;
  return blob === resource["blob"] ? block : { ...block, resource: { ...resource, blob } };
}

/** Leaves out annotations and `_meta` that are no objects, and a flag that only Gangway sets. */
function withReadableExtras(block: JsonObject, place: string, warnings: Warning[]): JsonObject {
  let read = block;
  for (const field of ["annotations", "_meta"]) {
    const value = read[field];
    if (value === undefined || isJsonObject(value)) continue;
    if (value !== null) {
      warnings.push({
        code: "FIELD_REPAIRED",
        message: `${place}.${field} is no object; it is left out.`,
      });
    }
    read = without(read, field);
  }
  const meta = read["_meta"];
  return isJsonObject(meta) && unrecognizedKey in meta
    ? { ...read, _meta: without(meta, unrecognizedKey) }
    : read;
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
