import type { Context } from "hono";
import type { Scope } from "../../shared/api/scopes.ts";
import type { EraCache } from "./upstream/era-cache.ts";
import type { SecretProvider } from "./secrets/secret-provider.ts";
import type { Settings } from "./settings.ts";

/** Who calls: the tenant and rights that a key stands for. */
export interface Caller {
  readonly tenant: string;
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
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
}

export interface AppEnv {
  Variables: {
    readonly requestId: string;
    readonly caller: Caller;
    readonly timings: Map<string, number>;
  };
}

export type AppContext = Context<AppEnv>;
