import type { BinaryBlock, ContentBlock, TextBlock, Truncation } from "./call-result.ts";
import { jsonBytesOfValue, measureText } from "./measure-text.ts";

/** Most bytes of a stand-in, so that its extras cannot be what breaks the limit. */
const maxStandInBytes = 1024;
const maxLabelLength = 200;

/** A block in less room, and what that cost. */
export interface Shrunk {
  readonly block: ContentBlock;
  readonly truncated: readonly Truncation[];
}

/** Bytes of the block as JSON; its long strings are measured in place rather than written out. */
export function blockBytes(block: ContentBlock): number {
  let bytes = jsonBytesOfValue({
    ...block,
    ...("text" in block ? { text: "" } : {}),
    ...(hasData(block) ? { data: "" } : {}),
  });
  if ("text" in block) bytes += measureText(block.text ?? "").jsonBytes;
  if ("data" in block) bytes += measureText(block.data ?? "").jsonBytes;
  return bytes;
}

/**
 * The least that is put in the block's place: for text (also a text resource's) the block with
 * its text emptied and without base64, else a text block that describes what was left out.
 */
export function standIn(block: ContentBlock): ContentBlock {
  const { annotations } = block;
  const described: TextBlock = { type: "text", text: describe(block) };
  const candidates = [
    ...emptied(block),
    ...(annotations === undefined ? [] : [{ ...described, annotations }]),
  ];
  return candidates.find((each) => jsonBytesOfValue(each) <= maxStandInBytes) ?? described;
}

/**
 * `block` in at most `maxBytes` of JSON, which must be enough for `least`, its stand-in: text is
 * cut after a whole character, anything else gives way to its description.
 * @param pointer JSON Pointer of the block
 */
export function shrinkBlock(
  block: ContentBlock,
  { least, maxBytes, pointer }: { least: ContentBlock; maxBytes: number; pointer: string },
): Shrunk {
  if (!isTextual(block) || !isTextual(least) || least.type !== block.type) {
    return { block: least, truncated: [{ pointer, ...sizes(blockBytes(block), 0) }] };
  }
  const cut = measureText(block.text, maxBytes - jsonBytesOfValue(least));
  const shrunk = { ...least, text: block.text.slice(0, cut.end) };
  return { block: shrunk, truncated: losses(block, shrunk, pointer) };
}

type Textual = TextBlock | (BinaryBlock & { readonly text: string });

function isTextual(block: ContentBlock): block is Textual {
  return "text" in block && block.text !== undefined;
}

function hasData(block: ContentBlock): boolean {
  return "data" in block && block.data !== null;
}

/** With every field, or else with those alone without which the text cannot be placed. */
function emptied(block: ContentBlock): Textual[] {
  if (!isTextual(block)) return [];
  if (block.type === "text") {
    const mark = block.unrecognized === undefined ? {} : { unrecognized: block.unrecognized };
    return [
      { ...block, text: "" },
      { type: "text", text: "", ...mark },
    ];
  }
  const { type, uri, mime_type } = block;
  const data = block.data === "" ? "" : null;
  return [
    { ...block, text: "", data },
    { type, uri, mime_type, data, text: "" },
  ];
}

function describe(block: ContentBlock): string {
  const facts =
    block.type === "text"
      ? []
      : [block.mime_type, "uri" in block ? block.uri : null].filter(isText);
  const labels = facts.map((fact) => fact.slice(0, maxLabelLength).toWellFormed());
  const size =
    "data" in block && block.data !== null
      ? `${block.data.length} bytes of base64`
      : `${blockBytes(block)} bytes`;
  return `[${block.type} left out to keep the result's size limit: ${[...labels, size].join(", ")}]`;
}

function isText(fact: string | null): fact is string {
  return fact !== null;
}

/** One entry for each field that lost something. */
function losses(before: Textual, after: Textual, pointer: string): Truncation[] {
  const kept = new Map<string, unknown>(Object.entries(after));
  const dropped = Object.entries(before)
    .filter(([field, value]) => field !== "text" && kept.get(field) !== value)
    .map(([field, value]) => ({
      pointer: `${pointer}/${field}`,
      ...sizes(fieldSize(field, value), 0),
    }));
  if (after.text.length === before.text.length) return dropped;
  const cut = sizes(measureText(before.text).utf8Bytes, measureText(after.text).utf8Bytes);
  return [...dropped, { pointer: `${pointer}/text`, ...cut }];
}

function fieldSize(field: string, value: unknown): number {
  return field === "data" && typeof value === "string" ? value.length : jsonBytesOfValue(value);
}

function sizes(original_bytes: number, kept_bytes: number) {
  return { original_bytes, kept_bytes };
}
