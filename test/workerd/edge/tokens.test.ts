import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { testEdge, type EdgeOptions } from "../support/edge-app.ts";

const list = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
const now = Date.parse("2026-12-01T12:00:00Z");
const nowS = now / 1000;

interface IssuerKey {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly jwk: JWK;
}

async function makeKey(kid: string, alg = "RS256"): Promise<IssuerKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

let key: IssuerKey;
let other: IssuerKey;
beforeAll(async () => {
  [key, other] = await Promise.all([makeKey("one"), makeKey("two")]);
});

const issuer = {
  id: "idp1",
  issuer: "https://idp.example.com",
  jwks_url: "https://idp.example.com/jwks",
  audience: "gangway",
  algorithms: ["RS256"],
  tenants: ["acme"],
  scopes: ["discover"],
};

interface Issued {
  readonly claims?: Record<string, unknown>;
  readonly signer?: CryptoKey | Uint8Array;
  readonly header?: { alg: string; kid?: string; typ?: string };
}

function token({ claims, signer, header }: Issued = {}): Promise<string> {
  const payload = {
    iss: issuer.issuer,
    aud: issuer.audience,
    sub: "user-1",
    exp: nowS + 300,
    ...claims,
  };
  return new SignJWT(payload)
    .setProtectedHeader({ alg: "RS256", kid: "one", ...header })
    .sign(signer ?? key.privateKey);
}

/** An edge whose issuer answers with these keys, and how often it was asked. */
async function tokenEdge(
  options: EdgeOptions & { issuers?: object[]; keys?: () => JWK[]; time?: () => number } = {},
) {
  let asked = 0;
  const { keys, time, issuers, ...rest } = options;
  const edge = await testEdge({
    deployment: { issuers: issuers ?? [issuer] },
    ...rest,
    deps: {
      clock: time ?? (() => now),
      fetch: async () => {
        asked += 1;
        return Response.json({ keys: keys?.() ?? [key.jwk] });
      },
    },
  });
  return {
    asked: () => asked,
    send: async (bearer: string) => {
      const headers = {
        ...list.headers,
        authorization: `Bearer ${bearer}`,
        "x-request-id": "same-request",
      };
      const response = await edge.request("/v1/tools/list", { ...list, headers });
      return { status: response.status, body: await response.text() };
    },
    edge,
  };
}

describe("tokens of an issuer", () => {
  it("are let in, and the issuer's keys are asked for once", async () => {
    const edge = await tokenEdge();
    expect((await edge.send(await token())).status).toBe(200);
    expect((await edge.send(await token())).status).toBe(200);
    expect(edge.asked()).toBe(1);
  });

  it("are all refused by the same 401, whatever is wrong", async () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const hs256 = { alg: "HS256", kid: "one" };
    const hostile: Record<string, string> = {
      expired: await token({ claims: { exp: nowS - 60 } }),
      "no expiry": await token({ claims: { exp: undefined } }),
      "not yet valid": await token({ claims: { nbf: nowS + 60 } }),
      "another audience": await token({ claims: { aud: "other" } }),
      "no audience": await token({ claims: { aud: undefined } }),
      "another issuer": await token({ claims: { iss: "https://evil.test" } }),
      "an issuer with a slash more": await token({ claims: { iss: `${issuer.issuer}/` } }),
      "no subject": await token({ claims: { sub: undefined } }),
      "an empty subject": await token({ claims: { sub: "" } }),
      "an endless subject": await token({ claims: { sub: "x".repeat(300) } }),
      unsigned: new UnsecuredJWT({
        iss: issuer.issuer,
        aud: "gangway",
        sub: "u",
        exp: nowS + 60,
      }).encode(),
      "the public key as a shared secret": await token({
        signer: bytes(JSON.stringify(key.jwk)),
        header: hs256,
      }),
      "its PEM as a shared secret": await token({
        signer: bytes(await exportSPKI(key.publicKey)),
        header: hs256,
      }),
      "its modulus as a shared secret": await token({
        signer: bytes(key.jwk.n ?? ""),
        header: hs256,
      }),
      "another key of the same id": await token({ signer: other.privateKey }),
      "an unknown key": await token({
        signer: other.privateKey,
        header: { alg: "RS256", kid: "two" },
      }),
      "an algorithm that the entry does not name": await token({
        header: { alg: "PS256" },
        signer: (await makeKey("one", "PS256")).privateKey,
      }),
      "a changed payload": (await token()).replace(
        /\.[^.]+\./,
        `.${btoa(JSON.stringify({ iss: issuer.issuer, aud: "gangway", sub: "admin", exp: nowS + 300 })).replaceAll("=", "")}.`,
      ),
      "no signature": (await token()).replace(/[^.]+$/, "AAAA"),
      "no JWT": "a.b.c",
    };
    const edge = await tokenEdge();
    const answers = await Promise.all(Object.values(hostile).map((bearer) => edge.send(bearer)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const badKey = await edge.send("gw_test_k7f3_bad");
    expect(answers[0]?.body).toBe(badKey.body);
  });

  it("may not use algorithms by shared secret, whatever the file says", async () => {
    const edge = await tokenEdge({ issuers: [{ ...issuer, algorithms: ["HS256"] }] });
    const bearer = await token({
      signer: new TextEncoder().encode("x".repeat(32)),
      header: { alg: "HS256" },
    });
    expect((await edge.send(bearer)).status).toBe(401);
  });

  it("with made-up key ids cost the issuer one question in 30 seconds", async () => {
    let time = now;
    const edge = await tokenEdge({ time: () => time });
    await edge.send(await token());
    const flood = async (count: number) => {
      for (let i = 0; i < count; i += 1) {
        const bearer = await token({
          signer: other.privateKey,
          header: { alg: "RS256", kid: `made-up-${i}` },
        });
        expect((await edge.send(bearer)).status).toBe(401);
      }
    };
    time += 29_000;
    await flood(20);
    expect(edge.asked()).toBe(1);
    time += 2_000;
    await flood(20);
    expect(edge.asked()).toBe(2);
    time += 31_000;
    await flood(1);
    expect(edge.asked()).toBe(3);
  });

  it("are let in by a new key as soon as the issuer has it", async () => {
    let time = now;
    let keys = [key.jwk];
    const edge = await tokenEdge({ time: () => time, keys: () => keys });
    expect((await edge.send(await token())).status).toBe(200);
    keys = [other.jwk];
    time += 31_000;
    const rotated = await token({ signer: other.privateKey, header: { alg: "RS256", kid: "two" } });
    expect((await edge.send(rotated)).status).toBe(200);
    // The key that the issuer no longer has is out of use with the same answer.
    expect((await edge.send(await token())).status).toBe(401);
  });

  it("wait while the issuer's keys cannot be read, and no other caller does", async () => {
    const edge = await testEdge({
      deployment: { issuers: [issuer] },
      deps: { clock: () => now, fetch: async () => new Response("no", { status: 500 }) },
    });
    const headers = { ...list.headers, authorization: `Bearer ${await token()}` };
    const answer = await edge.request("/v1/tools/list", { ...list, headers });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("30");
    expect((await edge.request("/v1/tools/list", list)).status).toBe(200);
  });

  it.each([
    ["redirects", () => Response.redirect("https://evil.test/jwks", 302)],
    ["is no JSON", () => new Response("<html>")],
    ["holds no keys", () => Response.json({ key: [] })],
    ["is larger than keys are", () => new Response(`{"keys":[],"x":"${"x".repeat(300_000)}"}`)],
  ])("wait when the answer for the keys %s", async (_, answer) => {
    let asked = 0;
    const edge = await testEdge({
      deployment: { issuers: [issuer] },
      deps: {
        clock: () => now,
        fetch: async () => {
          asked += 1;
          return answer();
        },
      },
    });
    const headers = { ...list.headers, authorization: `Bearer ${await token()}` };
    for (let i = 0; i < 3; i += 1) {
      expect((await edge.request("/v1/tools/list", { ...list, headers })).status).toBe(503);
    }
    expect(asked).toBe(1);
  });

  it("never reach a private address for keys in production", async () => {
    const edge = await tokenEdge({
      issuers: [{ ...issuer, jwks_url: "https://169.254.169.254/jwks" }],
    });
    expect((await edge.send(await token())).status).toBe(503);
    expect(edge.asked()).toBe(0);
  });

  it("are for the tenants of the issuer's entry alone", async () => {
    const edge = await tokenEdge({
      issuers: [{ ...issuer, tenants: ["acme", "globex"], tenant_claim: "org" }],
    });
    expect((await edge.send(await token({ claims: { org: "acme" } }))).status).toBe(200);
    for (const org of ["initech", "deployment", "", ["acme"], undefined, "__proto__"]) {
      expect((await edge.send(await token({ claims: { org } }))).status).toBe(401);
    }
  });

  it("have at most the scopes of the issuer's entry", async () => {
    const bounded = { ...issuer, scopes: ["discover"], scope_claim: "scope" };
    const edge = await tokenEdge({ issuers: [bounded] });
    expect((await edge.send(await token({ claims: { scope: "discover admin" } }))).status).toBe(
      200,
    );
    expect((await edge.send(await token({ claims: { scope: ["discover"] } }))).status).toBe(200);
    expect((await edge.send(await token({ claims: { scope: "call admin" } }))).status).toBe(403);
    expect((await edge.send(await token())).status).toBe(403);
    const calling = {
      ...list,
      body: '{"tool":"x"}',
      headers: {
        ...list.headers,
        authorization: `Bearer ${await token({ claims: { scope: "call discover" } })}`,
      },
    };
    expect((await edge.edge.request("/v1/tools/call", calling)).status).toBe(403);
  });

  it("must have the claims that the entry asks for", async () => {
    const edge = await tokenEdge({
      issuers: [{ ...issuer, claims: { repository: ["acme/app"], groups: ["ci"] } }],
    });
    const good = { repository: "acme/app", groups: ["dev", "ci"] };
    expect((await edge.send(await token({ claims: good }))).status).toBe(200);
    for (const wrong of [
      { repository: "evil/app" },
      { repository: undefined },
      { groups: ["dev"] },
      { groups: "c" },
      { repository: { 0: "acme/app" } },
    ]) {
      expect((await edge.send(await token({ claims: { ...good, ...wrong } }))).status).toBe(401);
    }
  });

  it("may not name another subject in the request", async () => {
    const edge = await tokenEdge();
    const headers = { ...list.headers, authorization: `Bearer ${await token()}` };
    const body = JSON.stringify({ options: { subject: "user-2" } });
    const answer = await edge.edge.request("/v1/tools/list", { ...list, headers, body });
    expect(answer.status).toBe(400);
  });

  it("are out of use when their issuer is revoked", async () => {
    const edge = await tokenEdge({ env: { GANGWAY_REVOKED: '{"keys":["idp1"]}' } });
    expect((await edge.send(await token())).status).toBe(401);
  });

  it("are no credential where no issuer is configured", async () => {
    const edge = await tokenEdge({ issuers: [] });
    expect((await edge.send(await token())).status).toBe(401);
    expect(edge.asked()).toBe(0);
  });
});
