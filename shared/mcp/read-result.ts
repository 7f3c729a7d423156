import type { Warning } from "../content/call-result.ts";
import { boundedWarnings } from "./bounded-warnings.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { boundedBlocks, readBlock, readContent } from "./read-content.ts";
import type { OperationResult } from "./session-types.ts";
import { wholeOrLength } from "../errors/whole-or-length.ts";

/** A result that can be used, or why it cannot. */
export type ReadResult =
  | { readonly ok: true; readonly value: OperationResult }
  | { readonly ok: false; readonly reason: string };

/**
 * The result of one operation with its malformed parts repaired or set aside, each told in
 * `warnings`. `structuredContent`, `_meta`, annotations and unknown members stay as they came;
 * no schema of the peer is evaluated.
 */
export function readResult(method: string, result: unknown, modern: boolean): ReadResult {
  if (!isJsonObject(result)) return { ok: false, reason: "its result is not a JSON object" };
  const warnings: Warning[] = [];
  const kind = readResultType(result, modern, warnings);
  if (kind === null) {
    return {
      ok: false,
      reason: `its result is of a type that was not asked for (${typeName(result)})`,
    };
  }
  const plain = withoutBadMeta(result, warnings);
  const read = kind === "input_required" ? plain : readBody(method, plain, warnings);
  return { ok: true, value: { result: read, warnings: boundedWarnings(warnings) } };
}

/**
 * What kind of result this is. Only revision 2026-07-28 has kinds; there a missing one counts
 * as complete, because the tool has already run.
 */
function readResultType(
  result: JsonObject,
  modern: boolean,
  warnings: Warning[],
): "complete" | "input_required" | null {
  if (!modern) return "complete";
  const type = result["resultType"];
  if (type === "complete" || type === "input_required") return type;
  if (type !== undefined && type !== null) return null;
  warnings.push({
    code: "FIELD_REPAIRED",
    message: "The result has no resultType; it counts as complete.",
  });
  return "complete";
}

function typeName(result: JsonObject): string {
  return wholeOrLength(JSON.stringify(result["resultType"]), 60);
}

function readBody(method: string, result: JsonObject, warnings: Warning[]): JsonObject {
  if (method === "tools/call") return readToolResult(result, warnings);
  if (method === "prompts/get") return readPromptResult(result, warnings);
  if (method === "resources/read") return readResourceResult(result, warnings);
  return result;
}

function readToolResult(result: JsonObject, warnings: Warning[]): JsonObject {
  const read: JsonObject = { ...result, content: readContent(contentOf(result), warnings) };
  const isError = result["isError"];
  if (typeof isError === "boolean" || isError === undefined) return read;
  delete read["isError"];
  if (isError === null) return read;
  // A failure that is written down wrongly must not pass as a success.
  warnings.push({
    code: "FIELD_REPAIRED",
    message: "isError is not a boolean; it counts as true.",
  });
  return { ...read, isError: true };
}

/** Revision 2024-10-07 had `toolResult` in the place of `content`. */
function contentOf(result: JsonObject): unknown {
  if (result["content"] !== undefined || result["toolResult"] === undefined)
    return result["content"];
  return [{ type: "text", text: JSON.stringify(result["toolResult"]) }];
}

function readPromptResult(result: JsonObject, warnings: Warning[]): JsonObject {
  const messages: unknown[] = Array.isArray(result["messages"]) ? result["messages"] : [];
  if (messages !== result["messages"]) {
    warnings.push({
      code: "FIELD_REPAIRED",
      message: "messages is not a list; it counts as empty.",
    });
  }
  return {
    ...result,
    messages: boundedBlocks(messages, "messages", warnings).map((message, index) =>
      readMessage(message, `messages[${index}]`, warnings),
    ),
  };
}

function readResourceResult(result: JsonObject, warnings: Warning[]): JsonObject {
  const { contents } = result;
  if (!Array.isArray(contents)) return result;
  return { ...result, contents: boundedBlocks(contents, "contents", warnings) };
}

function readMessage(message: unknown, place: string, warnings: Warning[]): JsonObject {
  if (!isJsonObject(message) || (message["role"] !== "user" && message["role"] !== "assistant")) {
    return { role: "user", content: readBlock(message, place, warnings) };
  }
  return { ...message, content: readBlock(message["content"], `${place}.content`, warnings) };
}

function withoutBadMeta(result: JsonObject, warnings: Warning[]): JsonObject {
  const { _meta, ...rest } = result;
  if (_meta === undefined || isJsonObject(_meta)) return result;
  if (_meta !== null) {
    warnings.push({ code: "FIELD_REPAIRED", message: "_meta is no object; it is left out." });
  }
  return rest;
}
