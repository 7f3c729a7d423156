import { classifyAddress, type AddressKind } from "./address.ts";

/** What a URL's host is, as far as its text tells. */
export type HostKind =
  | { readonly kind: "name" | "loopback-name" | "metadata-name" | "special-name" }
  | { readonly kind: "invalid" | "trailing-dot" | "single-label" }
  | { readonly kind: "address"; readonly address: AddressKind };

/** Special-use and customary private zones (RFC 6761, 6762, 7686, 8375, 9476): no public host is in them. */
const specialZones =
  "localhost local internal intranet private corp home lan localdomain onion test invalid alt arpa svc".split(
    " ",
  );

/** Public zones whose every name answers with the address written in it, or with loopback. */
const addressZones =
  "nip.io sslip.io xip.io traefik.me localtest.me lvh.me vcap.me lacolhost.com local.gd rbndr.us 1u.ms".split(
    " ",
  );

const metadataNames: ReadonlySet<string> = new Set([
  "metadata",
  "instance-data",
  "rancher-metadata",
  "metadata.goog",
  "metadata.tencentyun.com",
  "metadata.platformequinix.com",
  "metadata.packet.net",
]);
const metadataPrefixes = ["metadata.google.", "metadata.azure.", "instance-data."] as const;

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const longestName = 253;

/**
 * Tells what the `hostname` of a parsed URL is. The WHATWG parser has already turned octal, hex,
 * short and full-width spellings of IPv4 into dotted ones, and upper case into lower.
 */
export function classifyHost(hostname: string): HostKind {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  const address = classifyAddress(bare);
  if (address !== null) return { kind: "address", address };
  return { kind: classifyName(hostname) };
}

function classifyName(name: string): Exclude<HostKind["kind"], "address"> {
  if (name === "localhost") return "loopback-name";
  if (name.endsWith(".")) return "trailing-dot";
  const labels = name.split(".");
  if (name.length > longestName || !labels.every((part) => label.test(part))) return "invalid";
  if (isMetadataName(name)) return "metadata-name";
  if (isInZone(name, specialZones) || isInZone(name, addressZones)) return "special-name";
  return labels.length === 1 ? "single-label" : "name";
}

function isMetadataName(name: string): boolean {
  return metadataNames.has(name) || metadataPrefixes.some((prefix) => name.startsWith(prefix));
}

function isInZone(name: string, zones: readonly string[]): boolean {
  return zones.some((zone) => name === zone || name.endsWith(`.${zone}`));
}
