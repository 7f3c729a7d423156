import { compactVerify, exportJWK, generateKeyPair } from "jose";
import { describe, expect, it } from "vitest";
import {
  checkClaims,
  checkTicketBody,
  signTicket,
  ticketLifetimeS,
} from "../../../../shared/run-contract/ticket.ts";

const nowS = 1_800_000_000;
const bodyHash = "0".repeat(64);
const claims = {
  aud: "gangway-host/v1" as const,
  tenant: "acme",
  body: bodyHash,
  exp: nowS + ticketLifetimeS,
  jti: "01234567-89ab",
};
const good = { ...claims, jti: "0123456789abcdef" };

describe("signTicket", () => {
  it("makes a compact JWS of claims that checkClaims takes", async () => {
    const pair = await generateKeyPair("EdDSA", { extractable: true });
    const body = new TextEncoder().encode("abc");
    const ticket = await signTicket(await exportJWK(pair.privateKey), {
      tenant: "acme",
      body,
      nowS,
    });
    const { payload, protectedHeader } = await compactVerify(ticket, pair.publicKey);
    expect(protectedHeader).toEqual({ alg: "EdDSA" });
    const hashOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    const told: unknown = JSON.parse(new TextDecoder().decode(payload));
    const checked = checkClaims(told, nowS);
    expect(checked).toMatchObject({ tenant: "acme" });
    expect(() => checkTicketBody(checked, hashOfAbc)).not.toThrow();
  });

  it("gives each ticket an id of its own", async () => {
    const { privateKey } = await generateKeyPair("EdDSA", { extractable: true });
    const key = await exportJWK(privateKey);
    const sign = () => signTicket(key, { tenant: "acme", body: new Uint8Array(), nowS });
    const ids = new Set([await sign(), await sign()].map((ticket) => ticket.split(".")[1]));
    expect(ids.size).toBe(2);
  });
});

describe("checkClaims", () => {
  it("takes claims for this body and time", () => {
    expect(checkClaims(good, nowS)).toEqual(good);
  });

  it.each([
    ["claims of another form", { ...claims }, "its claims are wrong"],
    ["no claims at all", undefined, "its claims are wrong"],
    ["an expiry that has come", { ...good, exp: nowS }, "it has expired"],
    ["an expiry far away", { ...good, exp: nowS + 61 }, "its expiry is too far away"],
  ])("refuses %s and says so", (_what, payload, reason) => {
    expect(() => checkClaims(payload, nowS)).toThrow(`The run ticket was refused: ${reason}.`);
  });
});

describe("checkTicketBody", () => {
  it("takes the body that the ticket was made for", () => {
    expect(() => checkTicketBody(good, bodyHash)).not.toThrow();
  });

  it("refuses another body and says so", () => {
    expect(() => checkTicketBody(good, "1".repeat(64))).toThrow(
      "The run ticket was refused: it was made for another body.",
    );
  });
});
