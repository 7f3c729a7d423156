import {
  BatchGetSecretValueCommand,
  GetSecretValueCommand,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from "@aws-sdk/client-secrets-manager";
import type { AwsReader } from "./aws-reader.ts";
import { awsRequestHandler } from "./aws-request-handler.ts";
import type { AwsCredentials, AwsSettings } from "./aws-settings.ts";

export interface AwsClientParts {
  readonly settings: AwsSettings;
  readonly credentials: AwsCredentials;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/**
 * A reader for one question: the SDK keeps promises inside its client, and workerd allows none to
 * be shared by requests. Import this module only when AWS is asked: it evaluates the SDK.
 */
export function createAwsReader({ settings, credentials, fetch }: AwsClientParts): AwsReader {
  const { region, endpoint, stage } = settings;
  const config: SecretsManagerClientConfig = {
    region,
    credentials,
    requestHandler: awsRequestHandler(fetch),
    // We decide ourselves what is tried again, and when.
    maxAttempts: 1,
    retryMode: "standard",
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    ...(endpoint === null ? {} : { endpoint: endpoint.href }),
  };
  const client = new SecretsManagerClient(config);
  return {
    async get(id, signal) {
      const command = new GetSecretValueCommand({ SecretId: id, VersionStage: stage });
      const { SecretString } = await client.send(command, { abortSignal: signal });
      return SecretString ?? null;
    },
    async getBatch(ids, signal) {
      const command = new BatchGetSecretValueCommand({ SecretIdList: [...ids] });
      const answer = await client.send(command, { abortSignal: signal });
      return {
        texts: new Map(
          (answer.SecretValues ?? []).map(({ Name, SecretString }) => [
            Name ?? "",
            SecretString ?? null,
          ]),
        ),
        failures: new Map(
          (answer.Errors ?? []).map(({ SecretId, ErrorCode }) => [
            SecretId ?? "",
            ErrorCode ?? "Unknown",
          ]),
        ),
        complete: answer.NextToken === undefined,
      };
    },
  };
}
