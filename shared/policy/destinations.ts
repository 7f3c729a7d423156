import { accept, refuse, type Check } from "./check.ts";
import type { PolicyReason } from "./reasons.ts";
import { portOf } from "./url-host.ts";
import { checkUrl } from "./url.ts";

/** A place that a stored secret may be sent to: one host and port, and what lies below a path. */
export interface Destination {
  readonly hostname: string;
  readonly port: number;
  /** TLS; false only for loopback in development. */
  readonly secure: boolean;
  /** Begins with `/` and does not end with it; empty = the whole host. */
  readonly path: string;
}

/**
 * Reads `https://host[:port][/path-prefix]` as an operator writes it: in the parser's own form, so
 * that what stands in the file is what is compared. No wildcard, query or reference.
 * `http://` is taken for loopback in development.
 */
export function parseDestination(
  text: string,
  rules: { readonly development: boolean },
): Check<Destination, PolicyReason> {
  if (!URL.canParse(text)) return invalid("is no absolute URL", destinationHint);
  const url = new URL(text);
  if (/[*?{}]/.test(text))
    return invalid("holds a wildcard, a query or a reference", destinationHint);
  const checked = checkUrl(text, { schemes: ["https"], ...rules });
  if (!checked.ok) {
    return invalid(`cannot be contacted. ${checked.message.slice(0, -1)}`, checked.hint);
  }
  const isNormal = text === url.href || `${text}/` === url.href;
  if (!isNormal) return invalid("is not in its normal form", `Write \`${url.href}\`.`);
  return accept({ ...placeOf(url), path: url.pathname.replace(/\/+$/, "") });
}

/**
 * Whether a final URL lies in a destination: exact host, port and encryption, and a path that is
 * the prefix or goes on behind a `/`. Below the prefix only characters pass that no server decodes
 * into another path (`%2e`, `%2f`, `;`); a WebSocket's URL counts as its https kin.
 */
export function liesIn(url: URL, destination: Destination): boolean {
  const { hostname, port, secure } = placeOf(url);
  return (
    hostname === destination.hostname &&
    port === destination.port &&
    secure === destination.secure &&
    pathLiesIn(url.pathname, destination.path)
  );
}

/** The destination that a URL itself is, as an operator would list it. */
export function destinationText(url: URL): string {
  const scheme = placeOf(url).secure ? "https" : "http";
  return `${scheme}://${url.host}${url.pathname}`;
}

/** Below a prefix: unreserved characters, some delimiters, single slashes. */
const plainPath = /^(?:\/[A-Za-z0-9._~!$'()*+,=:@-]+)*\/?$/;

function pathLiesIn(path: string, prefix: string): boolean {
  if (prefix === "" || path === prefix) return true;
  return path.startsWith(`${prefix}/`) && plainPath.test(path.slice(prefix.length));
}

function placeOf(url: URL): Pick<Destination, "hostname" | "port" | "secure"> {
  const secure = url.protocol === "https:" || url.protocol === "wss:";
  return { hostname: url.hostname, port: portOf(url), secure };
}

function invalid(what: string, hint: string): Check<never, PolicyReason> {
  return refuse("destination-invalid", `The destination ${what}.`, hint);
}

const destinationHint =
  "Write one place in full, as in `https://mcp.example.com/mcp`: exact host, a path prefix, nothing else.";
