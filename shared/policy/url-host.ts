import { refuse, type Refusal } from "./check.ts";
import type { HostKind } from "./host-name.ts";
import type { UrlReason } from "./reasons.ts";
import type { UrlRules } from "./url-rules.ts";

/** What is wrong with hosts that are names; a loopback name is right in development. */
const nameTroubles: Partial<Record<HostKind["kind"], readonly [UrlReason, string]>> = {
  "loopback-name": ["url-special-name", "is this machine itself"],
  "special-name": ["url-special-name", "is in a zone of private or special use"],
  "metadata-name": ["url-metadata", "answers with a cloud's credentials"],
  "single-label": ["url-single-label", "is no full name"],
  "trailing-dot": ["url-trailing-dot", "ends with a dot"],
  invalid: ["url-host-invalid", "is no host name"],
};

/** Refuses names that are no public host; `localhost` passes in development. */
export function checkHostName(
  url: URL,
  rules: UrlRules,
  host: HostKind,
): Refusal<UrlReason> | null {
  if (host.kind === "loopback-name" && rules.development) return null;
  const trouble = nameTroubles[host.kind];
  return trouble === undefined ? null : refusedHost(trouble[0], url, trouble[1]);
}

/** Refuses addresses; in development loopback and public ones pass. */
export function checkAddress(url: URL, rules: UrlRules, host: HostKind): Refusal<UrlReason> | null {
  if (host.kind !== "address") return null;
  if (host.address === "metadata")
    return refusedHost("url-metadata", url, "answers with a cloud's credentials");
  if (host.address === "special")
    return refusedHost("url-private-address", url, "is no public address");
  if (rules.development) return null;
  return host.address === "loopback"
    ? refusedHost("url-private-address", url, "is this machine itself")
    : refusedHost("url-ip-literal", url, "is an address, not a name");
}

function refusedHost(reason: UrlReason, url: URL, what: string): Refusal<UrlReason> {
  return refuse(
    reason,
    `The host ${url.hostname.slice(0, 100)} ${what}.`,
    "Use the server's public host name.",
  );
}

export function isLoopback(host: HostKind): boolean {
  return host.kind === "loopback-name" || (host.kind === "address" && host.address === "loopback");
}

/** Refuses Gangway's own hosts, which would call it in a loop. */
export function checkOwnHost(url: URL, rules: UrlRules): Refusal<UrlReason> | null {
  const isOwn = (rules.ownHosts ?? []).some((own) => isOwnHost(url, own.toLowerCase()));
  if (!isOwn) return null;
  return refuse(
    "url-own-host",
    `The host ${url.host} is Gangway's own.`,
    "Name the server itself, not the gateway before it.",
  );
}

function isOwnHost(url: URL, own: string): boolean {
  if (own.startsWith(".")) return url.hostname === own.slice(1) || url.hostname.endsWith(own);
  return own === url.hostname || own === `${url.hostname}:${portOf(url)}`;
}

/** The port that a URL means, written or not. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "https:" || url.protocol === "wss:" ? 443 : 80;
}
