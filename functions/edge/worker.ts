import { env } from "cloudflare:workers";
import deployment from "#deployment";
import { createApp } from "./app.ts";
import { envProvider } from "./secrets/env-provider.ts";
import { readSettings } from "./settings.ts";
import { createEraCache } from "./upstream/era-cache.ts";

const settings = readSettings({ ...env }, deployment);

/** One app an isolate: its variables do not change while it lives. */
const app = createApp({
  settings,
  // A detached `fetch` throws in workerd.
  fetch: (input, init) => fetch(input, init),
  clock: () => Date.now(),
  secrets: envProvider(settings.secrets),
  eras: createEraCache(() => Date.now()),
});

export default { fetch: app.fetch } satisfies ExportedHandler;
