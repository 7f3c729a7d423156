import type { Refusal } from "../../policy/check.ts";
import { classifyHost } from "../../policy/host-name.ts";
import type { UrlReason } from "../../policy/reasons.ts";
import { isLoopback } from "../../policy/url-host.ts";
import { urlRefusals } from "../../policy/url.ts";
import type { RuleId } from "../rules.ts";
import type { TransportName } from "../server-config.ts";
import { text, type ScalarNode } from "../tree/node.ts";
import type { CheckOptions } from "./check-options.ts";
import { transportOf } from "./check-transport.ts";
import type { ServerDraft } from "./draft.ts";
import { transportByUrl } from "./transport-names.ts";

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
  const scheme = transport === "websocket" ? "wss" : "https";
  const local = pointsAtLoopback(written);
  const development = options.mode === "development" || (options.mode === null && local);
  const refusals = urlRefusals(written, { schemes: [scheme], development });
  reportRefusals(draft, node, { written, transport, refusals, options });
  if (refusals.length === 0 && local && options.mode === null)
    draft.diagnostics.report("GW303", node, "'url' points at this machine.");
  if (transport === "http" && transportByUrl(written) === "sse")
    draft.diagnostics.report("GW305", node, "'url' ends in /sse and the transport is http.");
}

interface Refused {
  readonly written: string;
  readonly transport: TransportName;
  readonly refusals: readonly Refusal<UrlReason>[];
  readonly options: CheckOptions;
}

/**
 * Every reason, but for what goes away with another one: cleartext with a wrong scheme, the port
 * with an address of this machine, and a port that nobody wrote.
 */
function reportRefusals(
  draft: ServerDraft,
  node: ScalarNode,
  { written, transport, refusals, options }: Refused,
): void {
  const schemeTold = refusals.some(({ reason }) => reason === "url-scheme");
  for (const { reason, message, hint } of refusals) {
    if (reason === "url-cleartext" && schemeTold) continue;
    if (reason === "url-port" && (new URL(written).port === "" || pointsAtLoopback(written)))
      continue;
    const told = messageOf(reason, message, transport);
    draft.diagnostics.report(ruleOf(reason, options), node, told, hint);
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
function ruleOf(reason: UrlReason, options: CheckOptions): RuleId {
  return reason === "url-port" && options.mode === null ? "GW309" : reasonRules[reason];
}

function messageOf(reason: UrlReason, message: string, transport: TransportName): string {
  if (reason !== "url-scheme" && reason !== "url-cleartext") return `'url' is refused: ${message}`;
  const [secure, plain] = transport === "websocket" ? ["wss", "ws"] : ["https", "http"];
  return `'url' must use ${secure}:// (or ${plain}:// for localhost)`;
}

function pointsAtLoopback(written: string): boolean {
  return URL.canParse(written) && isLoopback(classifyHost(new URL(written).hostname));
}
