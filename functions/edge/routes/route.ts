import type * as z from "zod";
import type { Scope } from "../../../shared/api/scopes.ts";
import type { ErrorCode } from "../../../shared/errors/catalogue.ts";
import type { AppContext, Deps } from "../context.ts";
import type { RouteWork } from "./route-errors.ts";

/** One row of the route table: the router and `/openapi.json` both derive from it. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE";
  /** As the router takes it: `:name` is a parameter. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** The scope that a key needs; null = no key needed. */
  readonly scope: Scope | null;
  /** Schemas of query parameters, each optional, by name. */
  readonly query?: Readonly<Record<string, z.ZodType>>;
  /** Schemas of the request body by media type. */
  readonly request?: Readonly<Record<string, z.ZodType>>;
  /** The request may have no body. */
  readonly requestOptional?: boolean;
  /** Schema of the answer with status 200, by media type. */
  readonly response: Readonly<Record<string, z.ZodType>>;
  /** Schema of answers with status 503 that are no error. */
  readonly unready?: z.ZodType;
  /** Which errors it can answer besides those of every such route. Default `reads`: none. */
  readonly work?: RouteWork;
  /** Further errors, and some that its work has and it has not. */
  readonly errors?: readonly ErrorCode[];
  readonly without?: readonly ErrorCode[];
  /** Takes If-None-Match, and answers 304 to who has the answer already. */
  readonly conditional?: boolean;
  readonly handle: (c: AppContext, deps: Deps) => Response | Promise<Response>;
}
