import { classifyHost } from "../../policy/host-name.ts";
import type { UrlReason } from "../../policy/reasons.ts";
import { isLoopback } from "../../policy/url-host.ts";
import { checkUrl as checkUrlPolicy } from "../../policy/url.ts";
import type { RuleId } from "../rules.ts";
import type { TransportName } from "../server-config.ts";
import { text, type ScalarNode } from "../tree/node.ts";
import type { CheckOptions } from "./check-options.ts";
import { transportOf } from "./check-transport.ts";
import type { ServerDraft } from "./draft.ts";

/** Checks where a remote server is, without contacting it. */
export function checkUrl(draft: ServerDraft, options: CheckOptions): void {
  const transport = transportOf(draft);
  const node = draft.fields.get("url")?.value;
  const written = text(node);
  if (
    node?.kind !== "scalar" ||
    written === undefined ||
    transport === null ||
    transport === "stdio"
  )
    return;
  const rules = { schemes: [transport === "websocket" ? "wss" : "https"] as const };
  const development =
    options.mode === "development" || (options.mode === null && pointsAtLoopback(written));
  const check = checkUrlPolicy(written, { ...rules, development });
  if (check.ok) {
    checkEndpoint(draft, node, { url: check.value, transport });
    if (development && options.mode === null)
      draft.diagnostics.report("GW303", node, "'url' points at this machine.");
  } else {
    const rule = ruleOf(check.reason, written, options);
    draft.diagnostics.report(
      rule,
      node,
      messageOf(check.reason, check.message, transport),
      check.hint,
    );
  }
}

const reasonRules: Readonly<Record<UrlReason, RuleId>> = {
  "url-invalid": "GW301",
  "url-too-long": "GW307",
  "url-has-reference": "GW410",
  "url-scheme": "GW302",
  "url-cleartext": "GW302",
  "url-userinfo": "GW306",
  "url-fragment": "GW307",
  "url-port": "GW307",
  "url-host-invalid": "GW301",
  "url-trailing-dot": "GW304",
  "url-single-label": "GW304",
  "url-special-name": "GW304",
  "url-metadata": "GW304",
  "url-private-address": "GW304",
  "url-ip-literal": "GW304",
  "url-own-host": "GW304",
};

/** Which ports are open is the deployment's choice: an unknown deployment may allow the port. */
function ruleOf(reason: UrlReason, written: string, options: CheckOptions): RuleId {
  if (reason === "url-port" && options.mode === null) return "GW309";
  if (reason === "url-cleartext" && pointsAtLoopback(written)) return "GW304";
  return reasonRules[reason];
}

function messageOf(reason: UrlReason, message: string, transport: TransportName): string {
  if (reason !== "url-scheme" && reason !== "url-cleartext") return `'url' is refused: ${message}`;
  const [secure, plain] = transport === "websocket" ? ["wss", "ws"] : ["https", "http"];
  return `'url' must use ${secure}:// (or ${plain}:// for localhost)`;
}

function pointsAtLoopback(written: string): boolean {
  return URL.canParse(written) && isLoopback(classifyHost(new URL(written).hostname));
}

function checkEndpoint(
  draft: ServerDraft,
  node: ScalarNode,
  { url, transport }: { url: URL; transport: TransportName },
): void {
  if (transport !== "http" || !/\/sse\/?$/.test(url.pathname)) return;
  draft.diagnostics.report("GW305", node, "'url' ends in /sse and the transport is http.");
}
