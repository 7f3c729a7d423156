import { exportJWK, generateKeyPair, type JWK } from "jose";

export interface TicketKeys {
  /** For the edge, which signs. */
  readonly privateKey: JWK;
  /** For the host, which checks. */
  readonly publicKey: JWK;
}

/** A new Ed25519 pair for run tickets; it lives as long as this start. */
export async function makeTicketKeys(): Promise<TicketKeys> {
  const pair = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  return {
    privateKey: await exportJWK(pair.privateKey),
    publicKey: await exportJWK(pair.publicKey),
  };
}
