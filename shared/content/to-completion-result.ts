import { isJsonObject } from "../mcp/json.ts";
import type { CompletionResult, Truncation, Warning } from "./call-result.ts";
import { defaultMaxResultBytes } from "./limit-result.ts";
import { jsonBytesOfValue } from "./measure-text.ts";
import { metaOf, type RawResult, refuseBottomless } from "./raw-result.ts";

/**
 * The answer to `completion/complete`, from the server's result as it came, masked. Values above
 * `maxResultBytes` are left out from the end, which `truncated` tells.
 * @throws GatewayError RESPONSE_INVALID when the result is nested deeper than it can be written
 */
export function toCompletionResult(
  raw: RawResult,
  metadata: CompletionResult["metadata"],
  maxResultBytes: number = defaultMaxResultBytes,
): CompletionResult {
  refuseBottomless(raw, `of a completion of server '${metadata.server}'`, metadata.server);
  const completion = isJsonObject(raw["completion"]) ? raw["completion"] : {};
  const { total, hasMore, values: listed } = completion;
  const { values, warnings } = readValues(listed);
  const { kept, truncated } = fitting(values, maxResultBytes);
  return {
    success: true,
    status: "ok",
    completion: {
      values: kept,
      total: typeof total === "number" ? total : null,
      has_more: typeof hasMore === "boolean" ? hasMore : null,
    },
    metadata: {
      ...metadata,
      truncated: [...metadata.truncated, ...truncated],
      warnings: [...metadata.warnings, ...warnings],
      ...(jsonBytesOfValue(raw["_meta"] ?? null) <= maxResultBytes ? metaOf(raw) : {}),
    },
  };
}

function readValues(listed: unknown): { values: string[]; warnings: Warning[] } {
  const all: unknown[] = Array.isArray(listed) ? listed : [];
  const values = all.filter((value) => typeof value === "string");
  if (Array.isArray(listed) && values.length === all.length) return { values, warnings: [] };
  const message = "The completion's values are no list of texts; what is none is left out.";
  return { values, warnings: [{ code: "FIELD_REPAIRED", message }] };
}

function fitting(values: readonly string[], maxBytes: number) {
  let bytes = "[]".length;
  const end = values.findIndex((value) => (bytes += jsonBytesOfValue(value) + 1) > maxBytes);
  if (end === -1) return { kept: values, truncated: [] };
  const kept = values.slice(0, end);
  const truncated: Truncation[] = [
    {
      pointer: "/completion/values",
      original_bytes: jsonBytesOfValue(values),
      kept_bytes: jsonBytesOfValue(kept),
    },
  ];
  return { kept, truncated };
}
