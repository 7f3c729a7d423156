import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { AwsCredentialSource } from "./aws/aws-credentials.ts";
import { awsError } from "./aws/aws-failure.ts";
import type { AwsSettings } from "./aws/aws-settings.ts";
import { readBundle } from "./aws/read-bundle.ts";
import { readNames } from "./aws/read-names.ts";
import type { SecretStore, StoredSecrets } from "./secret-provider.ts";

export interface AwsStoreParts {
  readonly settings: AwsSettings;
  readonly credentials: AwsCredentialSource;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Time for all requests of one read, milliseconds. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 5_000;

/** AWS Secrets Manager. The SDK is evaluated at the first read, not at start-up. */
export function awsStore(parts: AwsStoreParts): SecretStore {
  const { settings, credentials, fetch, timeoutMs = defaultTimeoutMs } = parts;

  async function ask(
    namespace: string,
    names: readonly string[],
    signal: AbortSignal,
  ): Promise<StoredSecrets> {
    const { createAwsReader } = await import("./aws/aws-client.ts");
    const reader = createAwsReader({ settings, credentials: await credentials(signal), fetch });
    const question = { reader, settings, namespace, signal };
    return settings.layout === "bundle" ? readBundle(question, names) : readNames(question, names);
  }

  return {
    async read(namespace, names, signal) {
      const end = new AbortController();
      const stop = (): void => end.abort();
      const timer = setTimeout(stop, timeoutMs);
      signal?.addEventListener("abort", stop);
      try {
        return await ask(namespace, names, end.signal);
      } catch (error) {
        if (signal?.aborted === true) throw cancelled(error);
        if (end.signal.aborted) throw tooSlow(settings.region, timeoutMs, names);
        throw error;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        // Ends what still runs beside a read that failed.
        stop();
      }
    },
  };
}

function cancelled(cause: unknown): GatewayError {
  return new GatewayError("CANCELLED", "The caller went away while secrets were read.", { cause });
}

function tooSlow(region: string, timeoutMs: number, names: readonly string[]): GatewayError {
  return awsError({ kind: "unavailable", code: `no answer in ${timeoutMs} ms` }, region, names);
}
