import type { Context } from "hono";
import type { Scope } from "../../shared/api/scopes.ts";
import type { Revocations } from "../../shared/policy/revocations.ts";
import type { AuditSink } from "./audit/audit-line.ts";
import type { CallLimits } from "./limits/call-limits.ts";
import type { ListCache } from "./operation/list-cache.ts";
import type { EraCache } from "./upstream/era-cache.ts";
import type { SecretProvider } from "./secrets/secret-provider.ts";
import type { Settings } from "./settings.ts";

/** Who calls: the tenant and rights that a key or token stands for. */
export interface Caller {
  readonly tenant: string;
  /** Of the API key, or of the token's issuer. */
  readonly keyId: string;
  /** Whom a token names; null for keys, whose holder may say on whose behalf it calls. */
  readonly subject: string | null;
  readonly scopes: ReadonlySet<Scope>;
  /** Only these configured servers, and no submitted ones; null = all. */
  readonly servers: readonly string[] | null;
  /** Only tools and prompts whose names fit one of these patterns; null = all. */
  readonly tools: readonly string[] | null;
}

/** Milliseconds since 1970. */
export type Clock = () => number;

/** What the app takes from its surroundings; tests pass their own. */
export interface Deps {
  readonly settings: Settings;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly secrets: SecretProvider;
  readonly eras: EraCache;
  readonly lists: ListCache;
  readonly limits: CallLimits;
  /** Read anew for every request; null where it cannot be read. */
  readonly revocations: () => Revocations | null;
  /** Takes one line for every operation. */
  readonly audit: AuditSink;
}

export interface AppEnv {
  Variables: {
    readonly requestId: string;
    readonly caller: Caller;
    readonly timings: Map<string, number>;
  };
}

export type AppContext = Context<AppEnv>;
