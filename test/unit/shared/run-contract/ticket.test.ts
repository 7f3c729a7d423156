import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import {
  signTicket,
  ticketLifetimeS,
  verifyTicket,
} from "../../../../shared/run-contract/ticket.ts";

const body = new TextEncoder().encode('{"request_id":"1"}');
const nowS = 1_800_000_000;
let privateKey: JWK;
let publicKey: JWK;

beforeAll(async () => {
  const pair = await generateKeyPair("EdDSA", { extractable: true });
  privateKey = await exportJWK(pair.privateKey);
  publicKey = await exportJWK(pair.publicKey);
});

async function forge(changes: Record<string, unknown>): Promise<string> {
  const ticket = await signTicket(privateKey, { tenant: "acme", body, nowS });
  const claims: unknown = JSON.parse(
    Buffer.from(ticket.split(".")[1] ?? "", "base64url").toString(),
  );
  const altered = new TextEncoder().encode(JSON.stringify(Object.assign({}, claims, changes)));
  return new CompactSign(altered)
    .setProtectedHeader({ alg: "EdDSA" })
    .sign(await importJWK(privateKey, "EdDSA"));
}

describe("verifyTicket", () => {
  it("gives back the claims of a good ticket", async () => {
    const ticket = await signTicket(privateKey, { tenant: "acme", body, nowS });
    const claims = await verifyTicket(publicKey, ticket, { body, nowS });
    expect(claims).toMatchObject({ tenant: "acme", exp: nowS + ticketLifetimeS });
  });

  it("refuses a ticket for another body", async () => {
    const ticket = await signTicket(privateKey, { tenant: "acme", body, nowS });
    const other = new TextEncoder().encode('{"request_id":"2"}');
    await expect(verifyTicket(publicKey, ticket, { body: other, nowS })).rejects.toMatchObject({
      code: "TICKET_INVALID",
    });
  });

  it("refuses a ticket at the second of its expiry, and takes it one second before", async () => {
    const ticket = await signTicket(privateKey, { tenant: "acme", body, nowS });
    await expect(
      verifyTicket(publicKey, ticket, { body, nowS: nowS + ticketLifetimeS - 1 }),
    ).resolves.toBeDefined();
    await expect(
      verifyTicket(publicKey, ticket, { body, nowS: nowS + ticketLifetimeS }),
    ).rejects.toMatchObject({ code: "TICKET_INVALID" });
  });

  it("refuses a ticket of another key", async () => {
    const stranger = await exportJWK(
      (await generateKeyPair("EdDSA", { extractable: true })).privateKey,
    );
    const ticket = await signTicket(stranger, { tenant: "acme", body, nowS });
    await expect(verifyTicket(publicKey, ticket, { body, nowS })).rejects.toMatchObject({
      code: "TICKET_INVALID",
    });
  });

  it.each([
    ["another audience", { aud: "gangway-edge/v1" }],
    ["an expiry far away", { exp: nowS + 86_400 }],
    ["no tenant", { tenant: "" }],
    ["a short id", { jti: "1" }],
  ])("refuses %s even when the signature is right", async (_what, changes) => {
    await expect(
      verifyTicket(publicKey, await forge(changes), { body, nowS }),
    ).rejects.toMatchObject({ code: "TICKET_INVALID" });
  });

  it.each(["", "a.b.c", "..", "eyJhbGciOiJub25lIn0.e30."])(
    "refuses %j, which is no ticket",
    async (text) => {
      await expect(verifyTicket(publicKey, text, { body, nowS })).rejects.toMatchObject({
        code: "TICKET_INVALID",
      });
    },
  );

  it("refuses a ticket with one character of any part altered", async () => {
    const ticket = await signTicket(privateKey, { tenant: "acme", body, nowS });
    for (const index of [3, ticket.indexOf(".") + 3, ticket.lastIndexOf(".") + 3]) {
      const letter = ticket[index] === "A" ? "B" : "A";
      const altered = ticket.slice(0, index) + letter + ticket.slice(index + 1);
      await expect(verifyTicket(publicKey, altered, { body, nowS })).rejects.toMatchObject({
        code: "TICKET_INVALID",
      });
    }
  });
});
