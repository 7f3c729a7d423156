import { queryStart } from "../references.ts";
import type { TransportName } from "../server-config.ts";
import { text, type Place } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import type { CheckOptions } from "./check-options.ts";
import { transportOf } from "./check-transport.ts";
import type { ServerDraft } from "./draft.ts";

/** Checks where a remote server is, without contacting it. */
export function checkUrl(draft: ServerDraft, options: CheckOptions): void {
  const transport = transportOf(draft);
  const node = draft.fields.get("url")?.value;
  const written = text(node);
  if (node === undefined || written === undefined || transport === null || transport === "stdio") return;
  const base = written.slice(0, queryStart(written));
  if (base.includes("${")) {
    draft.diagnostics.report("GW410", node, "'url' may hold references in its query only");
    return;
  }
  const url = URL.canParse(base) ? new URL(base) : null;
  if (url === null) {
    draft.diagnostics.report("GW301", node, `'url' is not an absolute URL: '${shorten(base)}'`);
    return;
  }
  checkScheme(draft, node, { url, transport });
  void options;
}

function checkScheme(draft: ServerDraft, node: Place, { url, transport }: { url: URL; transport: TransportName }): void {
  const [secure, plain] = transport === "websocket" ? ["wss:", "ws:"] : ["https:", "http:"];
  if (url.protocol === secure) return;
  if (url.protocol === plain && isLoopback(url.hostname)) return;
  draft.diagnostics.report("GW302", node, `'url' must use ${secure}// (or ${plain}// for localhost), got ${url.protocol}//`);
}

/** The names and addresses that `localhost` may be written as; compared whole, never by prefix. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}
