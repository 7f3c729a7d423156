import { accept, refuse, type Check } from "./check.ts";
import { classifyHost } from "./host-name.ts";
import type { PolicyReason } from "./reasons.ts";
import { shown } from "./shown.ts";
import { isLoopback, portOf } from "./url-host.ts";

/** A host that submitted servers may be at. */
export interface ListedHost {
  readonly hostname: string;
  readonly port: number;
}

const pattern = /^([a-z0-9_][a-z0-9_.-]{0,252})(?::([1-9][0-9]{0,4}))?$/;

/**
 * Reads `host` or `host:port`: one exact public host name in lower case, port 443 unless written.
 * Loopback names and addresses are taken in development.
 */
export function parseListedHost(
  text: string,
  rules: { readonly development: boolean },
): Check<ListedHost, PolicyReason> {
  const [, hostname, port] = pattern.exec(text) ?? [];
  if (hostname === undefined) return invalid(text);
  const host = classifyHost(hostname);
  const isAllowed = host.kind === "name" || (rules.development && isLoopback(host));
  if (!isAllowed || Number(port ?? 443) > 65_535) return invalid(text);
  return accept({ hostname, port: Number(port ?? 443) });
}

/** Whether a final URL's host and port are listed; a listed name never stands for its subdomains. */
export function hostListed(url: URL, hosts: readonly ListedHost[]): boolean {
  return hosts.some(({ hostname, port }) => hostname === url.hostname && port === portOf(url));
}

function invalid(text: string): Check<never, PolicyReason> {
  return refuse(
    "host-entry-invalid",
    `${shown(text)} is no host that can be listed.`,
    "Write one public host name in lower case, as in `mcp.example.com` or `mcp.example.com:8443`.",
  );
}
