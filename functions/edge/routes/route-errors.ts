import { catalogue, type ErrorCode } from "../../../shared/errors/catalogue.ts";
import type { Route } from "./route.ts";

/** What a route does, as far as its errors go. */
export type RouteWork = "reads" | "lists" | "calls" | "ends";

/** Of every route. */
const always: readonly ErrorCode[] = ["HOST_NOT_ALLOWED", "INTERNAL"];
const withKey: readonly ErrorCode[] = ["UNAUTHENTICATED", "SCOPE_MISSING", "NOT_READY"];
const withBody: readonly ErrorCode[] = [
  "REQUEST_MALFORMED",
  "REQUEST_INVALID",
  "MEDIA_TYPE_UNSUPPORTED",
  "BODY_TOO_LARGE",
];

/** Of requests as a whole; what concerns one server stands in the answer of a list. */
const ofLists: readonly ErrorCode[] = [
  "CONFIG_SYNTAX",
  "SERVER_NOT_FOUND",
  "RATE_LIMITED",
  "BUDGET_EXHAUSTED",
];

/** Never of an operation on a server: other routes' own, and the host's, which the edge translates. */
const notOfCalls: ReadonlySet<ErrorCode> = new Set([
  "ROUTE_NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "TICKET_INVALID",
  "TENANT_MISMATCH",
  "TOOL_ERROR",
]);

/** Of ending a session: nothing runs, and only servers of transport http keep sessions. */
const ofEnding: readonly ErrorCode[] = [
  "CONFIG_SYNTAX",
  "SESSION_INVALID",
  "REFERENCE_UNRESOLVED",
  "SECRET_PROVIDER_FAILED",
  "SECRET_PROVIDER_REFUSED",
  "SECRET_UNUSABLE",
  "SECRET_DESTINATION_NOT_ALLOWED",
  "URL_NOT_ALLOWED",
  "SERVER_NOT_ALLOWED",
  "CONNECTION_FAILED",
  "CONNECTION_LOST",
  "UPSTREAM_UNAUTHORIZED",
  "UPSTREAM_RATE_LIMITED",
  "UPSTREAM_REDIRECT",
  "UPSTREAM_HTTP_ERROR",
  "CANCELLED",
];

/** The errors that a route can answer. */
export function errorsOf(route: Route): readonly ErrorCode[] {
  const { scope, request, work = "reads", without = [] } = route;
  const codes = new Set<ErrorCode>([
    ...always,
    ...(scope === null ? [] : withKey),
    ...(request === undefined ? [] : withBody),
    ...ofWork(work),
    ...(route.errors ?? []),
  ]);
  return [...codes].filter((code) => !without.includes(code));
}

function ofWork(work: RouteWork): readonly ErrorCode[] {
  switch (work) {
    case "reads":
      return [];
    case "lists":
      return ofLists;
    case "ends":
      return ofEnding;
    case "calls":
      // A code that is new belongs here until it is known to be another route's.
      return (Object.keys(catalogue) as ErrorCode[]).filter((code) => !notOfCalls.has(code));
  }
}
