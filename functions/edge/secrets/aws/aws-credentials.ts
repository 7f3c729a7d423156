import type { AwsCredentials } from "./aws-settings.ts";

/**
 * Where the credentials of a read come from. It is asked once for each read, inside the read's
 * time limit, and must not hand a promise of one request to another.
 *
 * Web identity fits in here without a change elsewhere: a source that posts a token of the
 * platform's identity provider to STS AssumeRoleWithWebIdentity (which needs no signature) and
 * keeps the answer until shortly before it expires. Workers have no identity token of their own,
 * so that a deployment which wants one brings its issuer. With long-lived keys, give the key
 * nothing but `secretsmanager:GetSecretValue` (and `BatchGetSecretValue`) on the prefix.
 */
export type AwsCredentialSource = (signal: AbortSignal) => Promise<AwsCredentials>;

/** Credentials that stand in the Worker's secrets. */
export function fixedCredentials(credentials: AwsCredentials): AwsCredentialSource {
  return async () => credentials;
}
