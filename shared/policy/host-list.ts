import { accept, refuse, type Check } from "./check.ts";
import type { PolicyReason } from "./reasons.ts";
import { shown } from "./shown.ts";
import { portOf } from "./url-host.ts";
import { checkUrl } from "./url.ts";

/** A host that submitted servers may be at. */
export interface ListedHost {
  readonly hostname: string;
  readonly port: number;
}

const pattern = /^[a-z0-9_][a-z0-9_.-]{0,252}(?::[1-9][0-9]{0,4})?$/;

/**
 * Reads `host` or `host:port`: one exact host in lower case that the URL rules let pass, port 443
 * unless written. Loopback is taken in development.
 */
export function parseListedHost(
  text: string,
  rules: { readonly development: boolean },
): Check<ListedHost, PolicyReason> {
  if (!pattern.test(text)) return invalid(text, hostHint);
  const checked = checkUrl(`https://${text}/`, { schemes: ["https"], ...rules });
  if (!checked.ok) return invalid(text, checked.hint);
  const { hostname } = checked.value;
  return text.split(":")[0] === hostname
    ? accept({ hostname, port: portOf(checked.value) })
    : invalid(text, hostHint);
}

/** Whether a final URL's host and port are listed; a listed name never stands for its subdomains. */
export function hostListed(url: URL, hosts: readonly ListedHost[]): boolean {
  return hosts.some(({ hostname, port }) => hostname === url.hostname && port === portOf(url));
}

function invalid(text: string, hint: string): Check<never, PolicyReason> {
  return refuse("host-entry-invalid", `${shown(text)} is no host that can be listed.`, hint);
}

const hostHint =
  "Write one public host name in lower case, as in `mcp.example.com` or `mcp.example.com:8443`.";
