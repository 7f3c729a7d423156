export interface UrlRules {
  /** Secure schemes that the transport speaks; development adds their plain kin on loopback. */
  readonly schemes: readonly ("https" | "wss")[];
  /** Loopback and every port may be contacted, also in the clear. Never true in production. */
  readonly development: boolean;
  /** Ports of production; default 443 and 8443. */
  readonly allowedPorts?: readonly number[];
  /** Gangway's own hosts: `name`, `name:port`, or `.zone` for a zone and everything below. */
  readonly ownHosts?: readonly string[];
}
