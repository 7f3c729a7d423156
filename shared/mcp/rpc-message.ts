import { isJsonObject, type JsonObject } from "./json.ts";

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** What one value from a peer is, as JSON-RPC 2.0 sees it. */
export type RpcMessage =
  | { readonly kind: "result"; readonly id: string; readonly result: unknown }
  | { readonly kind: "error"; readonly id: string | null; readonly error: RpcError }
  | { readonly kind: "request"; readonly message: JsonObject }
  | { readonly kind: "notification"; readonly message: JsonObject }
  | { readonly kind: "malformed"; readonly reason: string };

/**
 * Reads one JSON-RPC message the way peers write them: members that are null count as absent,
 * unknown members are left out, and an error object always comes out well-formed.
 * https://www.jsonrpc.org/specification#response_object
 */
export function readRpcMessage(value: unknown): RpcMessage {
  if (!isJsonObject(value)) return { kind: "malformed", reason: "it is not a JSON object" };
  if (typeof value["method"] === "string") return readCall(value, value["method"]);
  if (isPresent(value["error"])) {
    return { kind: "error", id: rpcId(value["id"]), error: readRpcError(value["error"]) };
  }
  const id = rpcId(value["id"]);
  // An answer to a request although it holds none: whoever waits for it must not wait on.
  if (id !== null) return { kind: "result", id, result: value["result"] };
  return "result" in value
    ? { kind: "malformed", reason: "its result has no id" }
    : { kind: "malformed", reason: "it has neither method, result nor error" };
}

/** An id in the form that requests are looked up by: some peers answer the id 1 as "1". */
export function rpcId(id: unknown): string | null {
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}

/** A peer's error object, with a code and a message whatever it holds. */
export function readRpcError(error: unknown): RpcError {
  if (!isJsonObject(error)) return { code: -32603, message: textOf(error) };
  const code = Number.isSafeInteger(error["code"]) ? Number(error["code"]) : -32603;
  const message = typeof error["message"] === "string" ? error["message"] : "";
  return isPresent(error["data"]) ? { code, message, data: error["data"] } : { code, message };
}

function readCall(value: JsonObject, method: string): RpcMessage {
  const params = isJsonObject(value["params"]) ? { params: withoutNullMeta(value["params"]) } : {};
  if (!isPresent(value["id"])) {
    return { kind: "notification", message: { jsonrpc: "2.0", method, ...params } };
  }
  return rpcId(value["id"]) === null
    ? { kind: "malformed", reason: "its id is neither a string nor a number" }
    : { kind: "request", message: { jsonrpc: "2.0", id: value["id"], method, ...params } };
}

function withoutNullMeta(params: JsonObject): JsonObject {
  if (!("_meta" in params) || isJsonObject(params["_meta"])) return params;
  const { _meta, ...rest } = params;
  return rest;
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
