import { CLIENT_CAPABILITIES_META_KEY } from "@modelcontextprotocol/client";
import type { JsonObject } from "./json.ts";
import type { OpenClient } from "./open-client.ts";
import type { OperationOptions } from "./session-types.ts";

/** Named by revision 2026-07-28, which also says that its successors may drop it. */
const logLevelKey = "io.modelcontextprotocol/logLevel";

/**
 * What a request of revision 2026-07-28 tells in `_meta` besides what the SDK puts there: the log
 * level, to servers that can log, and what the caller can answer. Null where there is nothing to
 * tell; older revisions have no such members.
 */
export function requestMeta(
  { info, capabilities }: Pick<OpenClient, "info" | "capabilities">,
  options: OperationOptions,
): JsonObject | null {
  if (info.era !== "modern") return null;
  const level = "logging" in info.capabilities ? options.logLevel : undefined;
  const answerable = options.capabilities;
  if (level === undefined && answerable === undefined) return null;
  return {
    ...(level === undefined ? {} : { [logLevelKey]: level }),
    ...(answerable === undefined
      ? {}
      : { [CLIENT_CAPABILITIES_META_KEY]: together(capabilities, answerable) }),
  };
}

/** What the caller declares goes before what the client declares, but for the server's own config. */
function together(
  { experimental, ...capabilities }: OpenClient["capabilities"],
  answerable: JsonObject,
) {
  return {
    ...capabilities,
    ...answerable,
    ...(experimental === undefined ? {} : { experimental }),
  };
}
