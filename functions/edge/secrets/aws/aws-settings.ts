/** How Gangway reaches AWS Secrets Manager and how the secrets are laid out there. */
export interface AwsSettings {
  readonly region: string;
  readonly credentials: AwsCredentials;
  /** Replaces the region's own address: a private endpoint, or an emulator. */
  readonly endpoint: URL | null;
  /** What the names of all secrets begin with. */
  readonly prefix: string;
  /**
   * `bundle`: `<prefix><namespace>/bundle` holds a JSON object of all names.
   * `per-name`: `<prefix><namespace>/<NAME>` holds one value.
   */
  readonly layout: "bundle" | "per-name";
  /** The staging label of the version that is read. */
  readonly stage: string;
}

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** The label that AWS itself moves to the newest version. */
export const currentStage = "AWSCURRENT";
