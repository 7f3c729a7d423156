import ipaddr from "ipaddr.js";

/** What kind of place an address is; `special` has every range that is not public, of whatever use. */
export type AddressKind = "public" | "loopback" | "metadata" | "special";

/** Where clouds answer with credentials to whoever asks; the first is public by its range. */
const metadataAddresses: ReadonlySet<string> = new Set([
  "168.63.129.16",
  "169.254.169.254",
  "169.254.169.123",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
]);

/** The only unicast space that IANA has given out: RFC 4291, section 2.4. */
const globalUnicast: [ipaddr.IPv6, number] = [new ipaddr.IPv6([0x2000, 0, 0, 0, 0, 0, 0, 0]), 3];

/**
 * Tells what an IPv4 or IPv6 address (no brackets) is; null for a text that is none. IPv6 is public
 * only inside 2000::/3 and outside every range that carries an IPv4 address or has a special use,
 * so no spelling of a private address passes. @see https://www.iana.org/assignments/iana-ipv6-special-registry
 */
export function classifyAddress(text: string): AddressKind | null {
  // What is no address costs an exception inside `isValid`: most names are settled by one look.
  if (!(/^\d/.test(text) || text.includes(":")) || !ipaddr.isValid(text)) return null;
  const address = ipaddr.parse(text);
  if (metadataAddresses.has(address.toString())) return "metadata";
  const range = address.range();
  if (range === "loopback") return "loopback";
  return range === "unicast" && isGlobal(address) ? "public" : "special";
}

function isGlobal(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (!(address instanceof ipaddr.IPv6)) return true;
  return address.match(globalUnicast) && !isIsatap(address);
}

/** Interface identifiers that carry an IPv4 address: RFC 5214, section 6.1. */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , flags, marker] = address.parts;
  return marker === 0x5efe && (flags === 0 || flags === 0x0200);
}
