/** A content block as an MCP server sent it. */
export type RawBlock = Readonly<Record<string, unknown>>;

/**
 * What Gangway answers for the blocks that a direct client received, written apart from the
 * product's own conversion so that the two can be compared.
 */
export function expectedBlocks(blocks: readonly RawBlock[]): Record<string, unknown>[] {
  return blocks.map((block) => ({ ...bodyOf(block), ...extras(block) }));
}

function bodyOf(block: RawBlock): Record<string, unknown> {
  switch (block["type"]) {
    case "text":
      return { type: "text", text: block["text"] };
    case "image":
    case "audio":
      return { type: block["type"], data: block["data"], mime_type: block["mimeType"] };
    case "resource":
      return embedded(block["resource"] as RawBlock);
    case "resource_link":
      return {
        type: "binary",
        uri: block["uri"],
        mime_type: block["mimeType"] ?? null,
        data: null,
        ...present(block, ["name", "title", "description", "size"]),
      };
    default:
      throw new TypeError(`the reference server sends no ${String(block["type"])} blocks`);
  }
}

function embedded(resource: RawBlock): Record<string, unknown> {
  const { uri, mimeType, text, blob } = resource;
  const bytes = Buffer.from(String(text ?? blob), text === undefined ? "base64" : "utf8");
  return {
    type: "binary",
    uri,
    mime_type: mimeType ?? null,
    data: bytes.toString("base64"),
    size: bytes.length,
    ...(text === undefined ? {} : { text }),
    ...present(resource, ["name", "title", "description"]),
  };
}

function extras(block: RawBlock): Record<string, unknown> {
  return {
    ...present(block, ["annotations"]),
    ...(block["_meta"] === undefined ? {} : { meta: block["_meta"] }),
  };
}

function present(from: RawBlock, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  );
}
