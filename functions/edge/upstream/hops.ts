import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** How many gateways a request has come through; a config's headers cannot set it. */
export const hopsHeader = "gangway-hops";

const maxHops = 3;

/**
 * How many gateways a request has come through before this one.
 * @throws GatewayError HOPS_EXCEEDED when it may not go through another one
 */
export function readHops(header: string | null | undefined): number {
  if (header === null || header === undefined) return 0;
  // What cannot be read was not written by a gateway: it must not start to count anew.
  const hops = /^\d$/.test(header) ? Number(header) : maxHops;
  if (hops < maxHops) return hops;
  throw new GatewayError(
    "HOPS_EXCEEDED",
    `The request has come through ${maxHops} gateways: it may be going in a circle.`,
    { details: { reason: "too-many-hops" } },
  );
}
