/** One header that would steer what stands between Gangway and the server. */
export interface HeaderAttack {
  readonly what: string;
  readonly name: string;
  readonly value: string;
}

type Row = readonly [what: string, name: string, value: string];

const rows: readonly Row[] = [
  ["another host", "Host", "evil.example.net"],
  ["another length", "Content-Length", "0"],
  ["another framing", "Transfer-Encoding", "chunked"],
  ["a connection", "Connection", "x-api-key"],
  ["an upgrade", "Upgrade", "h2c"],
  ["trailers", "TE", "trailers"],
  ["credentials for a proxy", "Proxy-Authorization", "Basic eDp5"],
  ["another encoding", "Content-Encoding", "gzip"],
  ["a cookie", "Cookie", "session=1"],
  ["another session", "Mcp-Session-Id", "stolen"],
  ["another revision", "MCP-Protocol-Version", "2024-11-05"],
  ["a parameter of the protocol", "mcp-param-x", "1"],
  ["an address", "X-Forwarded-For", "10.0.0.1"],
  ["a host behind a proxy", "X-Forwarded-Host", "evil.example.net"],
  ["an address by the standard", "Forwarded", "for=10.0.0.1"],
  ["an address of the platform", "CF-Connecting-IP", "10.0.0.1"],
  ["an identity of the platform", "cf-access-jwt-assertion", "x"],
  ["an identity, in other letters", "hOST", "evil.example.net"],
  ["a space in the name", "X Key", "1"],
  ["a colon in the name", "X-Key:", "1"],
  ["a line in the name", "X-Key\r\nHost", "1"],
  ["no name", "", "1"],
  ["a name of other letters", "X-Kéy", "1"],
  ["a second header", "X-Key", "1\r\nHost: evil.example.net"],
  ["a bare line feed", "X-Key", "1\nHost: evil.example.net"],
  ["a bare return", "X-Key", "1\rHost: evil.example.net"],
  ["a NUL", "X-Key", "1\u0000"],
  ["a control character", "X-Key", "\u007f"],
  ["other letters", "X-Key", "schlüssel"],
  ["an endless value", "X-Key", "a".repeat(9_000)],
];

export const headerAttacks: readonly HeaderAttack[] = rows.map(([what, name, value]) => ({
  what,
  name,
  value,
}));
