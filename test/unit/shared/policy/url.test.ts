import * as fc from "fast-check";
import ipaddr from "ipaddr.js";
import { describe, expect, it } from "vitest";
import type { UrlReason } from "../../../../shared/policy/reasons.ts";
import { checkUrl } from "../../../../shared/policy/url.ts";
import type { UrlRules } from "../../../../shared/policy/url-rules.ts";
import { runs } from "../../../support/property-runs.ts";

const production: UrlRules = { schemes: ["https"], development: false };
const development: UrlRules = { schemes: ["https"], development: true };

/** Spellings of addresses that are not public, with the reason in production. */
const privateHosts: [string, UrlReason][] = [
  // loopback
  ...`127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7f.1 0177.0.0.1 017700000001 0x7F.0x0.0x0.0x1
    127.0.0.1. １２７.0.0.1 127。0。0。1 %31%32%37.0.0.1 [::1] [0:0:0:0:0:0:0:1] [0000::0001]`
    .split(/\s+/)
    .map((host): [string, UrlReason] => [host, "url-private-address"]),
  // IPv4 ranges
  ...`0.0.0.0 0 0.1.2.3 10.0.0.1 10.255.255.255 0xa000001 100.64.0.1 100.127.255.255 169.254.0.1 169.254.255.255
    172.16.0.1 172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 3232235521 198.18.0.1
    198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 192.31.196.1
    192.52.193.1 192.175.48.1`
    .split(/\s+/)
    .map((host): [string, UrlReason] => [host, "url-private-address"]),
  // IPv6 ranges and IPv4 inside IPv6
  ...`[::] [::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [::ffff:8.8.8.8] [::127.0.0.1] [::7f00:1] [::8.8.8.8]
    [::ffff:0:127.0.0.1] [::ffff:0:7f00:1] [64:ff9b::127.0.0.1] [64:ff9b::a00:1] [64:ff9b::8.8.8.8] [64:ff9b:1::a00:1]
    [2002:7f00:1::] [2002:a00:1::1] [2002:808:808::1] [2001::1] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:2::1]
    [2001:10::1] [2001:20::1] [2001:db8::1] [3fff::1] [100::1] [fc00::1] [fd00::1] [fdff:ffff::1] [fe80::1]
    [fe80::5efe:127.0.0.1] [2a00:1450::5efe:10.0.0.1] [2a00:1450::200:5efe:a00:1] [fec0::1] [ff00::1] [ff02::1]
    [5f00::1] [4000::1] [1::1] [e000::1]`
    .split(/\s+/)
    .map((host): [string, UrlReason] => [host, "url-private-address"]),
  // where clouds hand out credentials
  ...`169.254.169.254 169.254.169.123 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16 [fd00:ec2::254]
    2852039166 0xA9FEA9FE 0251.0376.0251.0376 metadata metadata.google.internal metadata.azure.com
    metadata.azure.internal metadata.goog instance-data rancher-metadata metadata.tencentyun.com metadata.packet.net
    metadata.platformequinix.com instance-data.ec2.internal METADATA.GOOGLE.INTERNAL`
    .split(/\s+/)
    .map((host): [string, UrlReason] => [host, "url-metadata"]),
  // special names
  ...`localhost LOCALHOST lOcAlHoSt a.localhost a.b.localhost ｌocalhost local.localhost foo.local printer.local
    db.internal a.b.internal host.docker.internal home.arpa nas.home.arpa 1.0.0.127.in-addr.arpa x.onion x.test
    x.invalid x.lan x.corp x.home x.intranet x.private x.localdomain kubernetes.default.svc
    kubernetes.default.svc.cluster.local 127.0.0.1.nip.io 10-0-0-1.sslip.io localtest.me a.lvh.me 7f000001.rbndr.us`
    .split(/\s+/)
    .map((host): [string, UrlReason] => [host, "url-special-name"]),
  ...`intranet2 router a xn--n3h kubernetes com`
    .split(" ")
    .map((host): [string, UrlReason] => [host, "url-single-label"]),
  ...`localhost. example.com. metadata.google.internal. a.localhost. example.com..`
    .split(" ")
    .map((host): [string, UrlReason] => [host, "url-trailing-dot"]),
  ...`a..example.com .example.com -a.example.com a-.example.com ex*mple.com ex!mple.com ex'mple.com a,b.com (a).com`
    .split(" ")
    .map((host): [string, UrlReason] => [host, "url-host-invalid"]),
  [`${"a".repeat(64)}.example.com`, "url-host-invalid"],
  [`${"a.".repeat(130)}example.com`, "url-host-invalid"],
  // public, but no name
  ...`8.8.8.8 1.1.1.1 134744072 0x08080808 [2606:4700:4700::1111] [2a00:1450::1]`
    .split(" ")
    .map((host): [string, UrlReason] => [host, "url-ip-literal"]),
];

const refusedTexts: [string, UrlReason][] = [
  ["", "url-invalid"],
  ["example.com/mcp", "url-invalid"],
  ["//example.com/mcp", "url-invalid"],
  ["/mcp", "url-invalid"],
  ["https://", "url-invalid"],
  ["https://[::1", "url-invalid"],
  ["https://1.2.3.4.5/", "url-invalid"],
  ["https://256.0.0.1/", "url-invalid"],
  ["https://example.com:99999/", "url-invalid"],
  ["https://example.com:a/", "url-invalid"],
  ["https://exam ple.com/", "url-invalid"],
  ["https://example.com/a b", "url-invalid"],
  [" https://example.com/", "url-invalid"],
  ["https://example.com/\n", "url-invalid"],
  ["ht\ntps://example.com/", "url-invalid"],
  ["https://exa\tmple.com/", "url-invalid"],
  ["https://example.com\\@evil.example/", "url-invalid"],
  ["https:\\\\example.com/", "url-invalid"],
  ["https://example.com/\0", "url-invalid"],
  ["https://[fe80::1%25eth0]/", "url-invalid"],
  ["https://${HOST}/mcp", "url-has-reference"],
  ["https://${X}.evil.example/mcp", "url-has-reference"],
  ["https://example.com/${PATH}", "url-has-reference"],
  ["https://example.com:${PORT}/", "url-has-reference"],
  ["${URL}", "url-has-reference"],
  ["https://example.com/mcp#${X}", "url-has-reference"],
  ["http://example.com/", "url-cleartext"],
  ["HTTP://example.com/", "url-cleartext"],
  ["ftp://example.com/", "url-scheme"],
  ["file:///etc/passwd", "url-scheme"],
  ["wss://example.com/", "url-scheme"],
  ["ws://example.com/", "url-scheme"],
  ["data:text/plain,x", "url-scheme"],
  ["javascript:alert(1)", "url-scheme"],
  ["blob:https://example.com/1", "url-scheme"],
  ["httpss://example.com/", "url-scheme"],
  ["gopher://example.com/", "url-scheme"],
  ["https://user@example.com/", "url-userinfo"],
  ["https://user:pass@example.com/", "url-userinfo"],
  ["https://:pass@example.com/", "url-userinfo"],
  ["https://example.com@evil.example/", "url-userinfo"],
  ["https://example.com%40evil.example@x.example.com/", "url-userinfo"],
  ["https://a@b@example.com/", "url-userinfo"],
  ["https://example.com:443@evil.example/", "url-userinfo"],
  ["https://%75ser@example.com/", "url-userinfo"],
  ["https://example.com/#", "url-fragment"],
  ["https://example.com/mcp#x", "url-fragment"],
  ["https://example.com#@evil.example/", "url-fragment"],
  ["https://example.com/?a#b", "url-fragment"],
  ["https://example.com:80/", "url-port"],
  ["https://example.com:0/", "url-port"],
  ["https://example.com:22/", "url-port"],
  ["https://example.com:25/", "url-port"],
  ["https://example.com:6379/", "url-port"],
  ["https://example.com:9200/", "url-port"],
  ["https://example.com:8080/", "url-port"],
  ["https://example.com:65535/", "url-port"],
];

describe("checkUrl in production", () => {
  it.each(privateHosts)("refuses the host %s as %s (case 55)", (host, reason) => {
    expect(checkUrl(`https://${host}/mcp`, production)).toMatchObject({ ok: false, reason });
  });

  it.each(refusedTexts)("refuses %j as %s", (text, reason) => {
    expect(checkUrl(text, production)).toMatchObject({ ok: false, reason });
  });

  it.each([
    ["https://mcp.example.com/mcp", "https://mcp.example.com/mcp"],
    [
      "HTTPS://MCP.Example.COM:443/mcp?a=b&token=${TOKEN}",
      "https://mcp.example.com/mcp?a=b&token=${TOKEN}",
    ],
    ["https://mcp.example.com:8443/a/../b", "https://mcp.example.com:8443/b"],
    ["https://bücher.example.com/", "https://xn--bcher-kva.example.com/"],
    ["https://_dmarc.example.com/", "https://_dmarc.example.com/"],
    ["https://10.example.com/", "https://10.example.com/"],
    ["https://localhost.example.com/", "https://localhost.example.com/"],
    ["https://mylocal.dev/", "https://mylocal.dev/"],
    ["https://notlocaltest.me/", "https://notlocaltest.me/"],
    ["https://mcp.local.example.com/", "https://mcp.local.example.com/"],
  ])("takes %s", (text, href) => {
    const check = checkUrl(text, production);
    expect(check.ok && check.value.href).toBe(href);
  });

  it("takes the schemes of the transport alone", () => {
    const socket: UrlRules = { schemes: ["wss"], development: false };
    expect(checkUrl("wss://mcp.example.com/", socket).ok).toBe(true);
    expect(checkUrl("https://mcp.example.com/", socket)).toMatchObject({ hint: "Use wss://." });
    expect(checkUrl("ws://mcp.example.com/", socket)).toMatchObject({ reason: "url-cleartext" });
  });

  it("takes any of several schemes, and names them all in the hint", () => {
    const both: UrlRules = { schemes: ["https", "wss"], development: false };
    expect(checkUrl("wss://mcp.example.com/", both).ok).toBe(true);
    expect(checkUrl("https://mcp.example.com/", both).ok).toBe(true);
    expect(checkUrl("ftp://example.com/", both)).toMatchObject({ hint: "Use https:// or wss://." });
  });

  it.each([
    ["http://example.com/", /^Use https:/],
    ["ws://example.com/", /^Use wss:/],
  ])("tells the encrypted scheme for %s", (text, hint) => {
    const both: UrlRules = { schemes: ["https", "wss"], development: false };
    expect(checkUrl(text, both)).toMatchObject({ hint: expect.stringMatching(hint) });
  });

  it("takes host names of 253 characters and no more", () => {
    const longest = `${"a.".repeat(121)}example.com`;
    expect(longest).toHaveLength(253);
    expect(checkUrl(`https://${longest}/`, production).ok).toBe(true);
    expect(checkUrl(`https://b${longest}/`, production)).toMatchObject({
      reason: "url-host-invalid",
    });
  });

  it("takes 2048 characters and no more", () => {
    const longest = `https://example.com/${"a".repeat(2028)}`;
    expect(checkUrl(longest, production).ok).toBe(true);
    expect(checkUrl(`${longest}a`, production)).toMatchObject({ reason: "url-too-long" });
  });

  it("takes the operator's ports in place of its own", () => {
    const rules = { ...production, allowedPorts: [9443] };
    expect(checkUrl("https://mcp.example.com:9443/", rules).ok).toBe(true);
    expect(checkUrl("https://mcp.example.com/", rules)).toMatchObject({
      reason: "url-port",
      hint: "Use one of these ports: 9443.",
    });
  });

  it.each([
    ["https://gw.example.com/mcp", true],
    ["https://GW.example.com/mcp", true],
    ["https://gw.example.com:8443/mcp", true],
    ["https://gangway.acme.workers.dev/", true],
    ["https://acme.workers.dev/", true],
    ["https://other.example.com:8443/", true],
    ["https://other.example.com/", false],
    ["https://xgw.example.com/", false],
    ["https://gw.example.com.evil.example/", false],
    ["https://evilacme.workers.dev/", false],
  ])("holds own hosts against %s: refused %s", (text, refused) => {
    const ownHosts = ["gw.example.com", ".acme.workers.dev", "Other.example.com:8443"];
    const check = checkUrl(text, { ...production, ownHosts });
    expect(check.ok ? null : check.reason).toBe(refused ? "url-own-host" : null);
  });

  it("shows scheme, host and port of a URL and nothing else of it (case 27)", () => {
    for (const [text] of refusedTexts) {
      const secret = text.replace(/\/$/, "/?k=hunter2");
      expect(JSON.stringify(checkUrl(secret, production))).not.toContain("hunter2");
    }
    const check = checkUrl("https://hunter2:hunter3@example.com/hunter4?hunter5", production);
    expect(JSON.stringify(check)).not.toMatch(/hunter/);
  });

  it("takes no IPv4 address, in whatever spelling", () => {
    const spelled = fc
      .nat({ max: 0xffffffff })
      .chain((value) => fc.constantFrom(...spellings(value)));
    fc.assert(
      fc.property(spelled, (host) => {
        expect(checkUrl(`https://${host}/`, production).ok).toBe(false);
      }),
      { numRuns: runs(5000) },
    );
  });
});

describe("checkUrl in development", () => {
  it.each([
    "http://127.0.0.1:3000/mcp",
    "http://127.8.9.10/",
    "http://localhost:8080/sse",
    "https://localhost/",
    "http://[::1]:3000/mcp",
    "http://2130706433:99/",
    "https://mcp.example.com:9999/",
    "https://8.8.8.8/",
  ])("takes %s", (text) => {
    expect(checkUrl(text, development).ok).toBe(true);
  });

  it.each([
    ["http://mcp.example.com/", "url-cleartext"],
    ["http://8.8.8.8/", "url-cleartext"],
    ["http://10.0.0.1/", "url-private-address"],
    ["http://192.168.1.1/", "url-private-address"],
    ["http://0.0.0.0:3000/", "url-private-address"],
    ["http://[::ffff:127.0.0.1]/", "url-private-address"],
    ["http://[::]/", "url-private-address"],
    ["http://169.254.169.254/latest/meta-data", "url-metadata"],
    ["http://metadata.google.internal/", "url-metadata"],
    ["http://a.localhost/", "url-special-name"],
    ["http://host.docker.internal/", "url-special-name"],
    ["http://localhost./", "url-trailing-dot"],
    ["http://router/", "url-single-label"],
    ["http://localhost:0/", "url-port"],
    ["http://user@localhost/", "url-userinfo"],
    ["http://localhost/#x", "url-fragment"],
    ["ws://localhost/", "url-scheme"],
  ] as const)("refuses %s as %s", (text, reason) => {
    expect(checkUrl(text, development)).toMatchObject({ ok: false, reason });
  });

  it("takes plain WebSockets on loopback", () => {
    expect(checkUrl("ws://127.0.0.1:1/", { schemes: ["wss"], development: true }).ok).toBe(true);
  });

  it("takes exactly the IPv4 addresses that are unicast or loopback to the ranges' own library", () => {
    fc.assert(
      fc.property(interestingIpv4, (value) => {
        const host = dotted(value);
        fc.pre(host !== "168.63.129.16");
        const range = ipaddr.parse(host).range();
        expect(checkUrl(`https://${host}/`, development).ok).toBe(
          range === "unicast" || range === "loopback",
        );
      }),
      { numRuns: runs(5000) },
    );
  });

  it("takes no IPv6 address that the ranges' own library calls special", () => {
    fc.assert(
      fc.property(interestingIpv6, (parts) => {
        const address = new ipaddr.IPv6([...parts]);
        const range = address.range();
        const check = checkUrl(`https://[${address.toString()}]/`, development);
        return !check.ok || range === "unicast" || range === "loopback";
      }),
      { numRuns: runs(5000) },
    );
  });
});

/** The ways in which the WHATWG parser reads one IPv4 address. */
function spellings(value: number): [string, ...string[]] {
  const bytes = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  return [
    bytes.join("."),
    `${bytes.join(".")}.`,
    String(value),
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    bytes.map((byte) => `0x${byte.toString(16)}`).join("."),
    bytes.map((byte) => `0${byte.toString(8)}`).join("."),
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    bytes.join("%2e"),
    bytes.join("。"),
    Array.from(bytes.join("."))
      .map((digit) => (digit === "." ? digit : String.fromCharCode(digit.charCodeAt(0) + 0xfee0)))
      .join(""),
    `[::ffff:${bytes.join(".")}]`,
    `[::${bytes.join(".")}]`,
    `[64:ff9b::${bytes.join(".")}]`,
    `[2002:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}::1]`,
    `[::ffff:0:${bytes.join(".")}]`,
  ];
}

function dotted(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}

const interestingIpv4 = fc.oneof(
  fc.nat({ max: 0xffffffff }),
  fc
    .tuple(
      fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 223, 224, 240, 255),
      fc.nat({ max: 0xffffff }),
    )
    .map(([first, rest]) => first * 0x1000000 + rest),
  fc
    .tuple(
      fc.constantFrom(0x6440, 0xa9fe, 0xac10, 0xac1f, 0xac20, 0xc000, 0xc0a8, 0xc612),
      fc.nat({ max: 0xffff }),
    )
    .map(([first, rest]) => first * 0x10000 + rest),
);

const group = fc.oneof(
  fc.nat({ max: 0xffff }),
  fc.constantFrom(0, 0, 0, 1, 0xffff, 0x5efe, 0x7f00, 0xdb8),
);
const interestingIpv6 = fc.tuple(
  fc.oneof(
    group,
    fc.constantFrom(
      0x64,
      0x100,
      0x2001,
      0x2002,
      0x2620,
      0x3fff,
      0x5f00,
      0xfc00,
      0xfe80,
      0xfec0,
      0xff02,
    ),
  ),
  fc.oneof(group, fc.constantFrom(0xff9b, 2, 3, 4, 0x10, 0x20, 0x30)),
  group,
  group,
  group,
  group,
  group,
  group,
);
