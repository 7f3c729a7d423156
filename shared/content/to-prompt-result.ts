import { isJsonObject } from "../mcp/json.ts";
import type { ContentBlock, PromptResult, Truncation, Warning } from "./call-result.ts";
import { toContentBlocks } from "./content-blocks.ts";
import { defaultMaxResultBytes, limitResult } from "./limit-result.ts";
import {
  inputRequired,
  isInputRequired,
  metaOf,
  type RawResult,
  refuseBottomless,
} from "./raw-result.ts";

type Role = PromptResult["messages"][number]["role"];

/**
 * The answer to `prompts/get`, from the server's result as it came, masked. The description and
 * the messages share `maxResultBytes` in their order; what was cut is told in `truncated`.
 * @throws GatewayError RESPONSE_INVALID when the result is nested deeper than it can be written
 */
export function toPromptResult(
  raw: RawResult,
  metadata: PromptResult["metadata"],
  maxResultBytes: number = defaultMaxResultBytes,
): PromptResult {
  const { server, prompt } = metadata;
  refuseBottomless(raw, `of prompt '${prompt}' of server '${server}'`, server);
  if (isInputRequired(raw)) {
    return { ...inputRequired(raw), description: null, messages: [], metadata };
  }
  const messages = readMessages(raw["messages"]);
  const blocks = toContentBlocks(messages.map(({ content }) => content));
  const limited = limitResult(
    { content: [...describing(raw), ...blocks.content], ...metaOf(raw) },
    maxResultBytes,
  );
  const described = describing(raw).length;
  const { content, meta } = limited.parts;
  return {
    success: true,
    status: "ok",
    description: described === 0 ? null : textOf(content[0]),
    messages: content.slice(described).map((block, index) => ({
      role: messages[index]?.role ?? "user",
      content: block,
    })),
    metadata: {
      ...metadata,
      truncated: [...metadata.truncated, ...limited.truncated.map(placed(described))],
      warnings: [...metadata.warnings, ...blocks.warnings.map(renamed)],
      ...(meta === undefined ? {} : { meta }),
    },
  };
}

/** The session has read the messages already; one without a role of the protocol counts as the user's. */
function readMessages(messages: unknown): { role: Role; content: unknown }[] {
  const list: unknown[] = Array.isArray(messages) ? messages : [];
  return list.map((message) =>
    isJsonObject(message)
      ? {
          role: message["role"] === "assistant" ? "assistant" : "user",
          content: message["content"],
        }
      : { role: "user", content: message },
  );
}

/** The description as a block before those of the messages, so that the limit is one for all. */
function describing({ description }: RawResult): ContentBlock[] {
  return typeof description === "string" ? [{ type: "text", text: description }] : [];
}

function textOf(block: ContentBlock | undefined): string | null {
  return block?.type === "text" ? block.text : null;
}

/** Where in the answer a block's truncation is. */
function placed(described: number): (truncation: Truncation) => Truncation {
  return (truncation) => {
    const [, place, rest = ""] = /^\/content\/(\d+)(\/.*)?$/.exec(truncation.pointer) ?? [];
    if (place === undefined) {
      return truncation.pointer === "/content"
        ? { ...truncation, pointer: "/messages" }
        : truncation;
    }
    const index = Number(place) - described;
    const pointer = index < 0 ? "/description" : `/messages/${index}/content${rest}`;
    return { ...truncation, pointer };
  };
}

function renamed({ code, message }: Warning): Warning {
  return { code, message: message.replace(/^content\[(\d+)\]/, "messages[$1].content") };
}
