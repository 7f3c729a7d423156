import type { IncomingMessage, ServerResponse } from "node:http";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The last segment of a path that ends in `:id`; else empty. */
  readonly id: string;
}

type Handler = (exchange: Exchange) => void | Promise<void>;

/** Handlers by `METHOD /path`; a path may end in `/:id`. */
export type Routes = Readonly<Record<string, Handler>>;

/**
 * The handler for a request. What answers GET answers HEAD.
 * @throws GatewayError ROUTE_NOT_FOUND, or METHOD_NOT_ALLOWED with what the path takes.
 */
export function findRoute(
  routes: Routes,
  { method = "", url = "" }: Pick<IncomingMessage, "method" | "url">,
): { readonly handle: Handler; readonly id: string } {
  const [path = ""] = url.split("?", 1);
  const { pattern, id } = patternOf(routes, path);
  const handle = routes[`${method === "HEAD" ? "GET" : method} ${pattern}`];
  if (handle !== undefined) return { handle, id };
  const allow = Object.keys(routes)
    .filter((route) => route.endsWith(` ${pattern}`))
    .map((route) => route.slice(0, route.indexOf(" ")))
    .join(", ");
  if (allow === "") throw new GatewayError("ROUTE_NOT_FOUND", `There is no ${method} ${path}.`);
  const details = { allow };
  throw new GatewayError("METHOD_NOT_ALLOWED", `${path} takes ${allow} only.`, { details });
}

function patternOf(routes: Routes, path: string): { pattern: string; id: string } {
  const at = path.lastIndexOf("/") + 1;
  const pattern = `${path.slice(0, at)}:id`;
  const hasId = Object.keys(routes).some((route) => route.endsWith(` ${pattern}`));
  if (!hasId || at === path.length) return { pattern: path, id: "" };
  return { pattern, id: decoded(path.slice(at)) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment; // No run has such an id.
  }
}
