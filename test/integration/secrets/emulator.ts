import {
  CreateSecretCommand,
  DeleteSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { fixedCredentials } from "../../../functions/edge/secrets/aws/aws-credentials.ts";
import type { AwsSettings } from "../../../functions/edge/secrets/aws/aws-settings.ts";
import { awsStore } from "../../../functions/edge/secrets/aws-store.ts";
import type { SecretStore } from "../../../functions/edge/secrets/secret-provider.ts";
import { motoRegion, type StartedMoto, startMoto } from "../../support/moto.ts";
import {
  type SecretsManagerFront,
  startSecretsManagerFront,
} from "../../support/secrets-manager-front.ts";

export interface Emulator {
  readonly moto: StartedMoto;
  readonly front: SecretsManagerFront;
  readonly create: (name: string, text: string) => Promise<void>;
  /** A new version, which becomes the current one unless it gets other labels. */
  readonly rotate: (name: string, text: string, stages?: string[]) => Promise<void>;
  readonly createBinary: (name: string) => Promise<void>;
  /** Schedules the secret for deletion. */
  readonly remove: (name: string) => Promise<void>;
  /** A store that reaches the emulator through the front. */
  readonly store: (settings?: Partial<AwsSettings>, timeoutMs?: number) => SecretStore;
  readonly close: () => Promise<void>;
}

/** A real emulator with signature checks, and a front that counts and misbehaves. */
export async function startEmulator(): Promise<Emulator> {
  const moto = await startMoto();
  const front = await startSecretsManagerFront(moto.url);
  const admin = new SecretsManagerClient({
    region: motoRegion,
    endpoint: moto.url,
    credentials: moto.admin,
  });
  return {
    moto,
    front,
    create: async (Name, SecretString) => {
      await admin.send(new CreateSecretCommand({ Name, SecretString }));
    },
    createBinary: async (Name) => {
      await admin.send(new CreateSecretCommand({ Name, SecretBinary: Uint8Array.of(0, 255, 1) }));
    },
    rotate: async (SecretId, SecretString, VersionStages) => {
      const stages = VersionStages === undefined ? {} : { VersionStages };
      await admin.send(new PutSecretValueCommand({ SecretId, SecretString, ...stages }));
    },
    remove: async (SecretId) => {
      await admin.send(new DeleteSecretCommand({ SecretId }));
    },
    store: (changes = {}, timeoutMs = 5_000) => {
      const settings = { ...settingsOf(moto, front), ...changes };
      const credentials = fixedCredentials(settings.credentials);
      return awsStore({ settings, credentials, fetch: (url, init) => fetch(url, init), timeoutMs });
    },
    close: async () => {
      await front.close();
      await moto.close();
    },
  };
}

function settingsOf(moto: StartedMoto, front: SecretsManagerFront): AwsSettings {
  return {
    region: motoRegion,
    credentials: moto.admin,
    endpoint: new URL(front.url),
    prefix: "gangway/",
    layout: "bundle",
    stage: "AWSCURRENT",
  };
}
