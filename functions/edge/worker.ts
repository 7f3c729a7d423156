import { env } from "cloudflare:workers";
import deployment from "#deployment";
import { createApp } from "./app.ts";
import { createSecrets } from "./secrets/create-secrets.ts";
import { readSettings } from "./settings.ts";
import { createEraCache } from "./upstream/era-cache.ts";
import { operatorFetch } from "./upstream/guarded-fetch.ts";

const settings = readSettings({ ...env }, deployment);

// A detached `fetch` throws in workerd.
const callFetch: typeof fetch = (input, init) => fetch(input, init);
const clock = (): number => Date.now();

/** One app an isolate: its variables do not change while it lives. */
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
});

export default { fetch: app.fetch } satisfies ExportedHandler;
