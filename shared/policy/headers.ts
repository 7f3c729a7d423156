import { accept, refuse, type Check, type Refusal } from "./check.ts";
import type { HeaderReason } from "./reasons.ts";
import { shown } from "./shown.ts";

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** Longest value in characters, which are bytes here: values are ASCII. */
const longestValue = 8192;
const longestName = 128;
/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** RFC 9110, section 5.5, without obs-text. */
const fieldValue = /^[\t\x20-\x7e]*$/;

type Family = readonly [reason: HeaderReason, what: string, names: readonly string[]];

/** Lower case; `*` at the end stands for any rest. */
const refusedFamilies: readonly Family[] = [
  [
    "header-hop-by-hop",
    "concerns one connection alone",
    [
      "connection",
      "keep-alive",
      "te",
      "trailer",
      "transfer-encoding",
      "upgrade",
      "http2-settings",
      "proxy-*",
    ],
  ],
  [
    "header-of-transport",
    "is set by the transport itself",
    ["host", "content-length", "content-encoding", "expect", "sec-websocket-*"],
  ],
  ["header-of-protocol", "belongs to the MCP protocol", ["mcp-*", "last-event-id"]],
  [
    "header-forwarding",
    "tells who a request is forwarded for",
    [
      "forwarded",
      "x-forwarded-*",
      "x-forwarded",
      "x-real-ip",
      "x-client-ip",
      "x-cluster-client-ip",
      "true-client-ip",
      "fastly-client-ip",
      "x-original-*",
      "x-rewrite-url",
      "x-http-method-override",
      "via",
    ],
  ],
  ["header-cookie", "carries cookies", ["cookie", "cookie2", "set-cookie", "set-cookie2"]],
  [
    "header-of-platform",
    "belongs to the platform",
    ["cf-*", "cdn-loop", "gangway-*", "x-gangway-*"],
  ],
];

/**
 * Checks one header that is to go to a remote server: a token as name, none of the headers that
 * steer connection, protocol or platform, and a value of visible ASCII, spaces and tabs. Check
 * after references are filled in. Messages never hold the value.
 */
export function checkHeader(name: string, value: string): Check<Header, HeaderReason> {
  return checkName(name) ?? checkValue(name, value) ?? accept({ name, value });
}

function checkName(name: string): Refusal<HeaderReason> | null {
  if (name.length > longestName || !token.test(name)) {
    return refuse(
      "header-name-invalid",
      `${shown(name)} is no name of an HTTP header.`,
      "Use letters, digits and hyphens.",
    );
  }
  const lower = name.toLowerCase();
  const family = refusedFamilies.find(([, , names]) =>
    names.some((entry) => matches(entry, lower)),
  );
  if (family === undefined) return null;
  const [reason, what] = family;
  return refuse(
    reason,
    `The header ${shown(name)} may not be set: it ${what}.`,
    "Remove it from `headers`.",
  );
}

function matches(entry: string, lower: string): boolean {
  return entry.endsWith("*") ? lower.startsWith(entry.slice(0, -1)) : lower === entry;
}

function checkValue(name: string, value: string): Refusal<HeaderReason> | null {
  if (value.length > longestValue) {
    return refuse(
      "header-value-too-long",
      `The value of the header ${name} has ${value.length} characters.`,
      `Use one of at most ${longestValue}.`,
    );
  }
  if (fieldValue.test(value)) return null;
  return refuse(
    "header-value-invalid",
    `The value of the header ${name} holds a character that is not visible ASCII, space or tab.`,
    "Look for a line break at the end of the value or of the secret that it refers to; encode other text.",
  );
}
