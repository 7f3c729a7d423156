import type { ResourceResult, Warning } from "./call-result.ts";
import { toContentBlocks } from "./content-blocks.ts";
import { defaultMaxResultBytes, limitResult } from "./limit-result.ts";
import {
  inputRequired,
  isInputRequired,
  metaOf,
  type RawResult,
  refuseBottomless,
} from "./raw-result.ts";

/**
 * The answer to `resources/read`, from the server's result as it came, masked: each of its
 * contents is the block that an embedded resource of a tool's result would be.
 * @throws GatewayError RESPONSE_INVALID when the result is nested deeper than it can be written
 */
export function toResourceResult(
  raw: RawResult,
  metadata: ResourceResult["metadata"],
  maxResultBytes: number = defaultMaxResultBytes,
): ResourceResult {
  const { server } = metadata;
  refuseBottomless(raw, `of a resource of server '${server}'`, server);
  if (isInputRequired(raw)) return { ...inputRequired(raw), content: [], metadata };
  const { contents } = raw;
  const list: unknown[] = Array.isArray(contents) ? contents : [];
  const blocks = toContentBlocks(list.map((resource) => ({ type: "resource", resource })));
  const limited = limitResult({ content: blocks.content, ...metaOf(raw) }, maxResultBytes);
  const { content, meta } = limited.parts;
  return {
    success: true,
    status: "ok",
    content,
    metadata: {
      ...metadata,
      truncated: [...metadata.truncated, ...limited.truncated],
      warnings: [...metadata.warnings, ...missing(contents), ...blocks.warnings],
      ...(meta === undefined ? {} : { meta }),
    },
  };
}

function missing(contents: unknown): Warning[] {
  if (Array.isArray(contents)) return [];
  const message = "The result's contents are no list; they count as empty.";
  return [{ code: "CONTENT_NOT_A_LIST", message }];
}
