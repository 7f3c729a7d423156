import type { TransportName } from "../server-config.ts";

const synonyms: Readonly<Record<string, TransportName>> = {
  stdio: "stdio",
  local: "stdio",
  command: "stdio",
  sse: "sse",
  ws: "websocket",
  websocket: "websocket",
  http: "http",
  "streamable-http": "http",
  streamablehttp: "http",
  streamable_http: "http",
  "http-stream": "http",
  streamable: "http",
};

/** The transport that a client's word names; null for words that name none (`remote` is concluded from the URL). */
export function transportByName(name: string): TransportName | null {
  const key = name.toLowerCase();
  return Object.hasOwn(synonyms, key) ? (synonyms[key] ?? null) : null;
}

/** What a URL without a transport most likely speaks. */
export function transportByUrl(url: string): TransportName {
  if (/^wss?:/i.test(url)) return "websocket";
  const path = url.split(/[?#]/, 1)[0] ?? "";
  return /\/sse\/?$/.test(path) ? "sse" : "http";
}
