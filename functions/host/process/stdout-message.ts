import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** What one decoded line of stdout is: messages of the protocol, or noise that is only logged. */
export type StdoutLine =
  | { readonly kind: "messages"; readonly messages: readonly JSONRPCMessage[] }
  | { readonly kind: "noise"; readonly looksLikeProtocol: boolean }
  | { readonly kind: "batch-too-long"; readonly length: number }
  | { readonly kind: "blank" };

/** No server answers so many requests at once: a host has never so many in flight with one. */
export const maxBatchLength = 1000;

/** Reads one line. A batch, which revision 2025-03-26 allows, is taken apart. */
export function readStdoutLine(line: string): StdoutLine {
  const text = line.trim();
  if (text === "") return { kind: "blank" };
  const parsed = parseJson(text);
  const messages = Array.isArray(parsed) ? parsed : [parsed];
  if (messages.length === 0 || !messages.every(isMessage))
    return { kind: "noise", looksLikeProtocol: text.includes('"jsonrpc"') };
  if (messages.length > maxBatchLength) return { kind: "batch-too-long", length: messages.length };
  return { kind: "messages", messages };
}

function parseJson(text: string): unknown {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Noise.
  }
}

/** Looser than the protocol's schema: what is wrong inside a message is the session's to judge. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return (
    typeof value === "object" && value !== null && "jsonrpc" in value && value.jsonrpc === "2.0"
  );
}
