import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { fixedCredentials } from "./aws/aws-credentials.ts";
import type { AwsSettings } from "./aws/aws-settings.ts";
import { awsStore } from "./aws-store.ts";
import { cachedProvider } from "./cached-provider.ts";
import { chainProvider } from "./chain-provider.ts";
import { envProvider } from "./env-provider.ts";
import { createRefreshBook } from "./refresh-book.ts";
import { createSecretCache } from "./secret-cache.ts";
import type { SecretProvider } from "./secret-provider.ts";
import type { SecretSettings } from "./secret-settings.ts";

export interface SecretsParts {
  readonly settings: SecretSettings;
  /** The Worker's own secrets, by name without prefix. */
  readonly variables: ReadonlyMap<string, string>;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
}

/** The configured secret providers as one, with the isolate's cache. */
export function createSecrets(parts: SecretsParts): SecretProvider {
  const { providers, aws } = parts.settings;
  if (providers.length === 0 || (providers.includes("aws") && aws === null)) return notReady;
  return chainProvider(
    providers.map((name) =>
      name === "env" || aws === null ? envProvider(parts.variables) : awsProvider(aws, parts),
    ),
  );
}

function awsProvider(settings: AwsSettings, { fetch, clock }: SecretsParts): SecretProvider {
  return cachedProvider({
    store: awsStore({ settings, credentials: fixedCredentials(settings.credentials), fetch }),
    cache: createSecretCache({ now: clock, random: Math.random }),
    refreshes: createRefreshBook(clock),
  });
}

async function fail(): Promise<never> {
  throw new GatewayError("NOT_READY", "The secret providers are not set up as they must be.");
}

/** In the place of providers that are not set up: a part of them could give the wrong value. */
const notReady: SecretProvider = { getSecrets: fail, refresh: fail };
