import { errorBody, type ErrorBody } from "../errors/error-body.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { CallMetadata, CallResult, ContentBlock, Warning } from "./call-result.ts";
import { toContentBlocks, type ContentBlocks } from "./content-blocks.ts";
import { defaultMaxResultBytes, limitResult } from "./limit-result.ts";
import {
  inputRequired,
  isInputRequired,
  metaOf,
  type RawResult,
  refuseBottomless,
} from "./raw-result.ts";

const maxMessageLength = 500;
const silentFailure = "The tool reported an error without saying what went wrong.";

/**
 * The answer to a tool call, from the server's `CallToolResult` (or `InputRequiredResult`, MCP
 * 2026-07-28) as it came. Secrets must be masked in `raw` beforehand: in here a text resource's
 * text also becomes base64, and a cut could leave half a value. The result's `_meta` becomes
 * `metadata.meta`; warnings and truncations are added to those that `metadata` already has.
 * `request_state` is the server's own: seal it before it leaves, where sealing is wanted.
 * @throws GatewayError RESPONSE_INVALID when the answer is nested deeper than it can be written
 */
export function toCallResult(
  raw: RawResult,
  metadata: CallMetadata,
  maxResultBytes: number = defaultMaxResultBytes,
): CallResult {
  const { server, tool } = metadata;
  refuseBottomless(raw, `of tool '${tool}' of server '${server}'`, server);
  const { content, warnings } = readContent(raw);
  const limited = limitResult({ content, ...structuredOf(raw), ...metaOf(raw) }, maxResultBytes);
  const { meta, ...parts } = limited.parts;
  return {
    ...outcome(raw, content, metadata.server),
    ...parts,
    metadata: {
      ...metadata,
      truncated: [...metadata.truncated, ...limited.truncated],
      warnings: [...metadata.warnings, ...warnings],
      ...(meta === undefined ? {} : { meta }),
    },
  };
}

/** The content list; what stands in its place in a malformed or very old result is kept as text. */
function readContent(raw: RawResult): ContentBlocks {
  if (Array.isArray(raw.content)) return toContentBlocks(raw.content);
  const stray = raw.content ?? raw.toolResult;
  if (stray === undefined || stray === null) return { content: [], warnings: [] };
  const { content, warnings } = toContentBlocks([stray]);
  const warning: Warning = {
    code: "CONTENT_NOT_A_LIST",
    message: "The result's content is no list of blocks; what was there is kept as one block.",
  };
  return { content, warnings: [warning, ...warnings] };
}

function structuredOf({ structuredContent }: RawResult): { structured_content?: unknown } {
  return structuredContent === undefined ? {} : { structured_content: structuredContent };
}

type Outcome = Omit<CallResult, "content" | "structured_content" | "metadata">;

function outcome(raw: RawResult, content: readonly ContentBlock[], server: string): Outcome {
  if (isInputRequired(raw)) return inputRequired(raw);
  if (raw.isError !== true) return { success: true, status: "ok" };
  return { success: false, status: "tool_error", error: toolError(content, server) };
}

function toolError(content: readonly ContentBlock[], server: string): ErrorBody {
  const first = content.find((block) => block.type === "text" && block.text.trim() !== "");
  const text = first?.type === "text" ? first.text.trim() : silentFailure;
  return errorBody(new GatewayError("TOOL_ERROR", shortened(text), { server, executed: "yes" }));
}

function shortened(text: string): string {
  if (text.length <= maxMessageLength) return text;
  return `${text.slice(0, maxMessageLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
