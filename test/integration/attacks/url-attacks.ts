/** One URL by which a config, or a server's answer, would reach what it must not. */
export interface UrlAttack {
  readonly what: string;
  readonly url: string;
  /** The rule by which the validator refuses it; GW311 where the tenant's list of hosts does. */
  readonly rule: string;
}

type Row = readonly [what: string, url: string, rule: string];

const rows: readonly Row[] = [
  ["this machine", "https://127.0.0.1/mcp", "GW304"],
  ["this machine by name", "https://localhost/mcp", "GW304"],
  ["this machine by a subdomain", "https://a.localhost/mcp", "GW304"],
  ["this machine in octal", "https://0177.0.0.1/mcp", "GW304"],
  ["this machine as a number", "https://2130706433/mcp", "GW304"],
  ["this machine in hex", "https://0x7f.1/mcp", "GW304"],
  ["this machine in wide digits", "https://１２７.0.0.1/mcp", "GW304"],
  ["this machine in version 6", "https://[::1]/mcp", "GW304"],
  ["this machine, mapped", "https://[::ffff:127.0.0.1]/mcp", "GW304"],
  ["a private address", "https://10.0.0.1/mcp", "GW304"],
  ["a private address, mapped", "https://[::ffff:a00:1]/mcp", "GW304"],
  ["a private address by NAT64", "https://[64:ff9b::a00:1]/mcp", "GW304"],
  ["a private address by 6to4", "https://[2002:a00:1::]/mcp", "GW304"],
  ["a private address by Teredo", "https://[2001:0:a00:1::]/mcp", "GW304"],
  ["a carrier's address", "https://100.64.0.1/mcp", "GW304"],
  ["a unique local address", "https://[fd00::1]/mcp", "GW304"],
  ["a link-local address", "https://[fe80::1]/mcp", "GW304"],
  ["the metadata service", "https://169.254.169.254/latest/", "GW304"],
  ["the metadata service by name", "https://metadata.google.internal/", "GW304"],
  ["the metadata service with a dot", "https://metadata.google.internal./", "GW304"],
  ["the metadata service in version 6", "https://[fd00:ec2::254]/", "GW304"],
  ["a public address", "https://93.184.216.34/mcp", "GW304"],
  ["a name with a trailing dot", "https://mcp.example.com./mcp", "GW304"],
  ["a name of one label", "https://intranet/mcp", "GW304"],
  ["an inner name", "https://db.internal/mcp", "GW304"],
  ["a printer's name", "https://printer.local/mcp", "GW304"],
  ["credentials", "https://user:pass@mcp.example.com/mcp", "GW306"],
  ["a listed host as user", "https://mcp.example.com@evil.example.net/", "GW306"],
  ["clear text", "http://mcp.example.com/mcp", "GW302"],
  ["a file", "file:///etc/passwd", "GW302"],
  ["data", "data:text/plain,x", "GW302"],
  ["a script", "javascript:alert(1)", "GW302"],
  ["another port", "https://mcp.example.com:22/mcp", "GW307"],
  ["a fragment", "https://mcp.example.com/mcp#x", "GW307"],
  ["Gangway itself", "https://gateway.example.net/mcp", "GW311"],
  ["an unlisted host", "https://evil.example.net/mcp", "GW311"],
  ["a subdomain of a listed host", "https://a.mcp.example.com/mcp", "GW311"],
  ["a host that begins alike", "https://mcp.example.com.evil.example.net/", "GW311"],
  ["a host that ends alike", "https://evilmcp.example.com/mcp", "GW311"],
  ["a look-alike", "https://mcp.exаmple.com/mcp", "GW311"],
  ["an endless URL", `https://mcp.example.com/${"a".repeat(9_000)}`, "GW307"],
  ["a tab in the scheme", "ht\ttps://10.0.0.1/", "GW301"],
  ["backslashes", "https:\\\\10.0.0.1\\", "GW301"],
];

export const urlAttacks: readonly UrlAttack[] = rows.map(([what, url, rule]) => ({
  what,
  url,
  rule,
}));
