import { accept, refuse, type Check, type Refusal } from "./check.ts";
import { classifyHost, type HostKind } from "./host-name.ts";
import type { UrlReason } from "./reasons.ts";
import { checkAddress, checkHostName, checkOwnHost, isLoopback, portOf } from "./url-host.ts";
import type { UrlRules } from "./url-rules.ts";

type UrlCheck = (url: URL, rules: UrlRules, host: HostKind) => Refusal<UrlReason> | null;

/** Longest URL that is contacted, in characters. */
const longestUrl = 2048;
const productionPorts: readonly number[] = [443, 8443];
const checks: readonly UrlCheck[] = [
  checkScheme,
  checkCredentials,
  checkFragment,
  checkHostName,
  checkAddress,
  checkCleartext,
  checkPort,
  checkOwnHost,
];

/**
 * Decides whether a URL may be contacted, by its parts as the WHATWG parser has them. The answer
 * holds for this very URL: check the final one at use, and every one that a server sends. A name
 * that is public by its text may still resolve to a private address. Messages hold no part of the
 * URL but scheme, host and port.
 */
export function checkUrl(text: string, rules: UrlRules): Check<URL, UrlReason> {
  return urlRefusals(text, rules)[0] ?? accept(new URL(text));
}

/** Every reason against a URL, for whoever mends it; empty when it may be contacted. */
export function urlRefusals(text: string, rules: UrlRules): readonly Refusal<UrlReason>[] {
  const written = checkText(text);
  if (written !== null) return [written];
  if (!URL.canParse(text)) return [refusedText()];
  const url = new URL(text);
  const host = classifyHost(url.hostname);
  // Of schemes that no transport takes: there is no more to tell.
  if (url.hostname === "") return [checkScheme(url, rules) ?? refusedText()];
  return checks.flatMap((check) => check(url, rules, host) ?? []);
}

/** The parser drops spaces and controls and turns `\` into `/`: such a URL is not what it looks like. */
function checkText(text: string): Refusal<UrlReason> | null {
  if (text.length > longestUrl) {
    return refuse(
      "url-too-long",
      `The URL has ${text.length} characters.`,
      `Use one of at most ${longestUrl}.`,
    );
  }
  // oxlint-disable-next-line no-control-regex -- controls are what is looked for
  if (/[\u0000-\u0020\u007f\\]/.test(text)) return refusedText();
  const [beforeQuery = ""] = text.split("?", 1);
  if (!beforeQuery.includes("${")) return null;
  return refuse(
    "url-has-reference",
    "The URL holds a reference outside its query.",
    "Write scheme, host and path out; references may stand in the query and in headers.",
  );
}

function refusedText(): Refusal<UrlReason> {
  return refuse(
    "url-invalid",
    "The URL cannot be parsed as it stands.",
    "Write an absolute URL, as in https://mcp.example.com/mcp, without spaces or backslashes.",
  );
}

function checkScheme(url: URL, rules: UrlRules): Refusal<UrlReason> | null {
  const scheme = url.protocol.slice(0, -1);
  const secure = scheme === "http" ? "https" : scheme === "ws" ? "wss" : scheme;
  if (rules.schemes.some((allowed) => allowed === secure)) return null;
  const allowed = rules.schemes.map((name) => `${name}://`).join(" or ");
  return refuse(
    "url-scheme",
    `This transport does not take URLs of the scheme ${scheme}.`,
    `Use ${allowed}.`,
  );
}

function checkCredentials(url: URL): Refusal<UrlReason> | null {
  if (url.username === "" && url.password === "") return null;
  return refuse(
    "url-userinfo",
    `The URL of ${url.host} holds a user name or password.`,
    "Send credentials in `headers`, with a reference: Authorization: Bearer ${NAME}.",
  );
}

function checkFragment(url: URL): Refusal<UrlReason> | null {
  if (!url.href.includes("#")) return null;
  return refuse(
    "url-fragment",
    `The URL of ${url.host} has a fragment.`,
    "Remove `#` and what follows it.",
  );
}

function checkCleartext(url: URL, _rules: UrlRules, host: HostKind): Refusal<UrlReason> | null {
  if (url.protocol === "https:" || url.protocol === "wss:" || isLoopback(host)) return null;
  const secure = url.protocol === "http:" ? "https" : "wss";
  return refuse(
    "url-cleartext",
    `The URL of ${url.host} is not encrypted.`,
    `Use ${secure}://; plain URLs are for loopback in development.`,
  );
}

function checkPort(url: URL, rules: UrlRules): Refusal<UrlReason> | null {
  const port = portOf(url);
  const allowed = rules.allowedPorts ?? productionPorts;
  if (rules.development ? port !== 0 : allowed.includes(port)) return null;
  return refuse(
    "url-port",
    `Port ${port} of ${url.hostname} may not be contacted.`,
    portHint(rules, allowed),
  );
}

function portHint(rules: UrlRules, allowed: readonly number[]): string {
  return rules.development
    ? "Use a port from 1 to 65535."
    : `Use one of these ports: ${allowed.join(", ")}.`;
}
