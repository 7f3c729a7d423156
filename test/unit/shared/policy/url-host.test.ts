import { describe, expect, it } from "vitest";
import { classifyAddress } from "../../../../shared/policy/address.ts";
import { parseListedHost } from "../../../../shared/policy/host-list.ts";
import { checkUrl } from "../../../../shared/policy/url.ts";
import { portOf } from "../../../../shared/policy/url-host.ts";

describe("portOf", () => {
  it.each([
    ["http://a.example.com/", 80],
    ["ws://a.example.com/", 80],
    ["https://a.example.com/", 443],
    ["wss://a.example.com/", 443],
    ["http://a.example.com:443/", 443],
    ["https://a.example.com:80/", 80],
  ])("of %s is %i", (text, port) => {
    expect(portOf(new URL(text))).toBe(port);
  });
});

describe("the message about a host", () => {
  it("shows its first hundred characters", () => {
    const label = "a".repeat(60);
    const check = checkUrl(`https://${label}.${label}.local/`, {
      schemes: ["https"],
      development: false,
    });
    expect(check).toMatchObject({
      message: `The host ${`${label}.${label}`.slice(0, 100)} is in a zone of private or special use.`,
    });
  });
});

describe("an address that looks like a tunnel's", () => {
  it.each([
    ["2606:4700::5efe:a00:1", "special"],
    ["2606:4700::200:5efe:a00:1", "special"],
    ["2606:4700::100:5efe:a00:1", "public"],
    ["2606:4700::5eff:a00:1", "public"],
  ])("%s is %s", (text, kind) => {
    expect(classifyAddress(text)).toBe(kind);
  });
});

describe("a listed host", () => {
  it.each([
    "a.example.com:0443",
    "a.example.com:00443",
    "a.example.com:",
    "a.example.com/",
    "0x7f.1",
    "127.1",
  ])("is refused in another spelling: %s", (text) => {
    for (const development of [true, false]) {
      expect(parseListedHost(text, { development }).ok).toBe(false);
    }
  });
});
