import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import {
  ticketVerifier,
  type VerifyTicket,
} from "../../../../functions/host/http/verify-ticket.ts";
import { signTicket, ticketLifetimeS } from "../../../../shared/run-contract/ticket.ts";

const body = new TextEncoder().encode('{"request_id":"1"}');
const nowS = 1_800_000_000;
let privateKey: JWK;
let verify: VerifyTicket;

beforeAll(async () => {
  const pair = await generateKeyPair("EdDSA", { extractable: true });
  privateKey = await exportJWK(pair.privateKey);
  const { x = "" } = await exportJWK(pair.publicKey);
  verify = ticketVerifier({ kty: "OKP", crv: "Ed25519", x });
});

const sign = () => signTicket(privateKey, { tenant: "acme", body, nowS });
const invalid = expect.objectContaining({ code: "TICKET_INVALID" });

function claimsOf(ticket: string): unknown {
  return JSON.parse(Buffer.from(ticket.split(".")[1] ?? "", "base64url").toString());
}

async function forge(changes: Record<string, unknown>, header = { alg: "EdDSA" }): Promise<string> {
  const claims = Object.assign({}, claimsOf(await sign()), changes);
  return new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader(header)
    .sign(await importJWK(privateKey, "EdDSA"));
}

describe("ticketVerifier", () => {
  it("gives back the claims of a good ticket", async () => {
    expect(verify(await sign(), nowS)).toMatchObject({
      tenant: "acme",
      exp: nowS + ticketLifetimeS,
    });
  });

  it("takes a forged ticket whose claims are those of a good one, so that the others are refused for theirs", async () => {
    expect(verify(await forge({}), nowS)).toMatchObject({ tenant: "acme" });
  });

  it("refuses a ticket at the second of its expiry, and takes it one second before", async () => {
    const ticket = await sign();
    expect(verify(ticket, nowS + ticketLifetimeS - 1)).toBeDefined();
    expect(() => verify(ticket, nowS + ticketLifetimeS)).toThrow(invalid);
  });

  it("refuses a ticket of another key", async () => {
    const { privateKey: strange } = await generateKeyPair("EdDSA", { extractable: true });
    const ticket = await signTicket(await exportJWK(strange), { tenant: "acme", body, nowS });
    expect(() => verify(ticket, nowS)).toThrow(invalid);
  });

  it.each([
    ["another audience", { aud: "gangway-edge/v1" }],
    ["an expiry far away", { exp: nowS + 86_400 }],
    ["no tenant", { tenant: "" }],
    ["a short id", { jti: "1" }],
  ])("refuses %s even when the signature is right", async (_what, changes) => {
    const ticket = await forge(changes);
    expect(() => verify(ticket, nowS)).toThrow(invalid);
  });

  it.each([
    ["of another algorithm", { alg: "HS256" }],
    ["with an extension that must be understood", { alg: "EdDSA", crit: ["exp"], exp: 1 }],
    ["that is no object", "EdDSA"],
  ])("refuses a header %s even when the signature is right", async (_what, header) => {
    const ticket = await signedBy(privateKey, header, claimsOf(await sign()));
    expect(() => verify(ticket, nowS)).toThrow(invalid);
  });

  it("takes what `signedBy` made with the right header, so that the others are refused for theirs", async () => {
    const ticket = await signedBy(privateKey, { alg: "EdDSA", typ: "JWT" }, claimsOf(await sign()));
    expect(verify(ticket, nowS)).toMatchObject({ tenant: "acme" });
  });

  it.each(["", "a.b.c", "..", "eyJhbGciOiJub25lIn0.e30.", "a.b.c.d"])(
    "refuses %j, which is no ticket",
    (text) => {
      expect(() => verify(text, nowS)).toThrow(invalid);
    },
  );

  it("refuses a ticket with a fourth part", async () => {
    const ticket = await sign();
    expect(() => verify(`${ticket}.e30`, nowS)).toThrow(invalid);
  });

  it("refuses a ticket with one character of any part altered", async () => {
    const ticket = await sign();
    for (const index of [3, ticket.indexOf(".") + 3, ticket.lastIndexOf(".") + 3]) {
      const letter = ticket[index] === "A" ? "B" : "A";
      const altered = ticket.slice(0, index) + letter + ticket.slice(index + 1);
      expect(() => verify(altered, nowS)).toThrow(invalid);
    }
  });
});

/** A compact JWS with any header, which a library would refuse to make. */
async function signedBy(key: JWK, header: unknown, claims: unknown): Promise<string> {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part(header)}.${part(claims)}`;
  const imported = await crypto.subtle.importKey("jwk", key, "Ed25519", false, ["sign"]);
  const signature = await crypto.subtle.sign("Ed25519", imported, Buffer.from(signed));
  return `${signed}.${Buffer.from(signature).toString("base64url")}`;
}
