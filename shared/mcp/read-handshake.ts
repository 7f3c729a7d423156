import { isJsonObject, type JsonObject } from "./json.ts";

/** Methods whose answers the SDK's own handshake reads. */
export function isHandshake(method: string): boolean {
  return method === "initialize" || method === "server/discover";
}

/**
 * The answer of a handshake without the slips that would fail it: members that are null, a
 * server that does not tell its name or version, capabilities written as booleans.
 */
export function readHandshake(method: string, result: unknown): unknown {
  if (!isJsonObject(result)) return result;
  const read = withoutNulls(result);
  if ("capabilities" in read || method === "initialize") {
    read["capabilities"] = readCapabilities(read["capabilities"]);
  }
  if (method === "initialize") read["serverInfo"] = readServerInfo(read["serverInfo"]);
  if ("instructions" in read && typeof read["instructions"] !== "string")
    delete read["instructions"];
  if ("_meta" in read && !isJsonObject(read["_meta"])) delete read["_meta"];
  return read;
}

function readCapabilities(capabilities: unknown): JsonObject {
  if (!isJsonObject(capabilities)) return {};
  const read: JsonObject = {};
  for (const [name, value] of Object.entries(capabilities)) {
    if (isJsonObject(value)) read[name] = readFlags(value);
    else if (value === true) read[name] = {};
  }
  return read;
}

/** `listChanged` and `subscribe` are booleans or absent; other members pass. */
function readFlags(capability: JsonObject): JsonObject {
  const read = withoutNulls(capability);
  for (const flag of ["listChanged", "subscribe"]) {
    if (flag in read && typeof read[flag] !== "boolean") delete read[flag];
  }
  return read;
}

function readServerInfo(info: unknown): JsonObject {
  const read = isJsonObject(info) ? withoutNulls(info) : {};
  return {
    ...read,
    name: textOr(read["name"], "unknown"),
    version: textOr(read["version"], "unknown"),
  };
}

function textOr(value: unknown, fallback: string): string {
  return typeof value === "string" ? value : fallback;
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
