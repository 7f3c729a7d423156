import type * as z from "zod";
import type { BinaryBlock, ContentBlock, TextBlock, Warning } from "./call-result.ts";
import { unrecognizedKey } from "../mcp/read-content.ts";
import { base64OfText, bytesOfBase64 } from "./base64.ts";
import { rawBlockSchema, type RawBlock } from "./raw-block-schema.ts";
import { wholeOrLength } from "../errors/whole-or-length.ts";

/** One warning each up to here; a hostile answer may hold a million bad blocks. */
const maxWarnings = 20;

export interface ContentBlocks {
  readonly content: readonly ContentBlock[];
  readonly warnings: readonly Warning[];
}

/**
 * The blocks of an MCP result in Gangway's form, in the same order and number. A block that is
 * unknown or malformed becomes a text block with its JSON, `unrecognized` and a warning.
 */
export function toContentBlocks(raw: readonly unknown[]): ContentBlocks {
  const faults: Warning[] = [];
  const content = raw.map((block, index) => {
    const read = rawBlockSchema.safeParse(block);
    if (read.success) return toBlock(read.data);
    faults.push({
      code: "BLOCK_UNRECOGNIZED",
      message: `content[${index}] ${faultOf(block, read.error)}; its JSON is kept as text.`,
    });
    return { type: "text", text: JSON.stringify(block) ?? "null", unrecognized: true } as const;
  });
  return { content, warnings: capped(faults) };
}

function toBlock(raw: RawBlock): ContentBlock {
  switch (raw.type) {
    case "text":
      return textBlock(raw);
    case "image":
    case "audio":
      return { type: raw.type, data: raw.data, mime_type: raw.mimeType, ...extrasOf(raw) };
    case "resource":
      return embeddedResource(raw);
    case "resource_link":
      return resourceLink(raw);
  }
}

function textBlock(raw: RawBlock & { type: "text" }): TextBlock {
  const { [unrecognizedKey]: mark, ...meta } = raw._meta ?? {};
  if (mark !== true) return { type: "text", text: raw.text, ...extrasOf(raw) };
  const remaining = Object.keys(meta).length === 0 ? null : meta;
  const extras = extrasOf({ annotations: raw.annotations, _meta: remaining });
  return { type: "text", text: raw.text, unrecognized: true, ...extras };
}

function embeddedResource({ resource, ...raw }: RawBlock & { type: "resource" }): BinaryBlock {
  const data =
    typeof resource.text === "string" ? base64OfText(resource.text) : (resource.blob ?? null);
  return {
    type: "binary",
    uri: resource.uri,
    mime_type: resource.mimeType ?? null,
    data,
    ...(data === null ? {} : { size: bytesOfBase64(data) }),
    ...present({ text: resource.text, resource_meta: resource._meta }),
    ...extrasOf(raw),
  };
}

function resourceLink(raw: RawBlock & { type: "resource_link" }): BinaryBlock {
  const { uri, mimeType, name, title, description, size, icons } = raw;
  return {
    type: "binary",
    uri,
    mime_type: mimeType ?? null,
    data: null,
    ...present({ name, title, description, size, icons }),
    ...extrasOf(raw),
  };
}

function extrasOf(raw: Pick<RawBlock, "annotations" | "_meta">) {
  return present({ annotations: raw.annotations, meta: raw._meta });
}

type Present<Fields> = { [Key in keyof Fields]?: NonNullable<Fields[Key]> };

/** The fields that are there: null is how some servers write "not set". */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return Object.fromEntries(entries) as Present<Fields>;
}

function faultOf(block: unknown, { issues: [issue] }: z.ZodError): string {
  if (issue?.code === "invalid_union") return `is of ${unknownType(block)}`;
  const path = issue?.path.join(".") ?? "";
  return `is malformed (${path === "" ? "" : `${path}: `}${issue?.message ?? "unreadable"})`;
}

function unknownType(block: unknown): string {
  const type = typeof block === "object" && block !== null && "type" in block ? block.type : null;
  return typeof type === "string"
    ? `the unknown type ${JSON.stringify(wholeOrLength(type, 40))}`
    : "no type";
}

function capped(faults: readonly Warning[]): readonly Warning[] {
  if (faults.length <= maxWarnings) return faults;
  const rest = faults.length - maxWarnings;
  const message = `${rest} further blocks could not be read; their JSON is kept as text.`;
  return [...faults.slice(0, maxWarnings), { code: "BLOCK_UNRECOGNIZED", message }];
}
