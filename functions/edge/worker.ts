import { env } from "cloudflare:workers";
import deployment from "#deployment";
import { createApp } from "./app.ts";
import { logSink } from "./audit/audit-line.ts";
import { callLimits } from "./limits/budget-namespace.ts";
import { createSecrets } from "./secrets/create-secrets.ts";
import { createListCache } from "./operation/list-cache.ts";
import { type Env, readSettings, revocationsOf } from "./settings.ts";
import { createEraCache } from "./upstream/era-cache.ts";
import { operatorFetch } from "./upstream/guarded-fetch.ts";

const variables: Env = { ...env };
const settings = readSettings(variables, deployment);

// A detached `fetch` throws in workerd.
const callFetch: typeof fetch = (input, init) => fetch(input, init);
const clock = (): number => Date.now();

/** One app an isolate: its variables do not change while it lives; a change of one starts others. */
const app = createApp({
  settings,
  fetch: callFetch,
  clock,
  secrets: createSecrets({
    settings: settings.secretSettings,
    variables: settings.secrets,
    fetch: operatorFetch(callFetch),
    clock,
  }),
  eras: createEraCache(clock),
  lists: createListCache(clock),
  limits: callLimits(settings, clock),
  revocations: revocationsOf(() => variables["GANGWAY_REVOKED"]),
  // oxlint-disable-next-line no-console -- the Worker's log is where audit lines go
  audit: logSink((text) => console.info(text)),
});

export { TenantBudget } from "./limits/tenant-budget.ts";

export default { fetch: app.fetch } satisfies ExportedHandler;
