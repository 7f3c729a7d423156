/** What an attacker may have learned of a key. */
export interface Stolen {
  /** A key that works: `gw_<env>_<id>_<random>_<checksum>`. */
  readonly key: string;
  /** A well-formed key of the same id, made by the attacker. */
  readonly forged: string;
  /** A well-formed key of an id that does not exist. */
  readonly unknown: string;
  /** The hash that a deployment file holds. */
  readonly hash: string;
}

/** One credential that is none. */
export interface AuthAttack {
  readonly what: string;
  /** The header `Authorization`; null: none is sent. */
  readonly authorization: (stolen: Stolen) => string | null;
  /** Further headers. */
  readonly headers?: (stolen: Stolen) => Readonly<Record<string, string>>;
  /** Behind the path. */
  readonly query?: (stolen: Stolen) => string;
}

const bearer = (make: (stolen: Stolen) => string) => (stolen: Stolen) => `Bearer ${make(stolen)}`;
const part = (text: string) => Buffer.from(text).toString("base64url");
const unsigned = `${part('{"alg":"none"}')}.${part('{"sub":"k7f3","tenant":"acme","exp":9999999999}')}.`;

export const authAttacks: readonly AuthAttack[] = [
  { what: "nothing", authorization: () => null },
  { what: "an empty header", authorization: () => "" },
  { what: "a scheme alone", authorization: () => "Bearer" },
  { what: "another scheme", authorization: ({ key }) => `Basic ${part(`x:${key}`)}` },
  { what: "the key without a scheme", authorization: ({ key }) => key },
  { what: "a forged key of a known id", authorization: bearer(({ forged }) => forged) },
  { what: "a key of an unknown id", authorization: bearer(({ unknown }) => unknown) },
  { what: "the stored hash", authorization: bearer(({ hash }) => hash) },
  {
    what: "the stored hash as key",
    authorization: bearer(({ hash }) => `gw_test_k7f3_${hash}_000000`),
  },
  { what: "a key cut by one", authorization: bearer(({ key }) => key.slice(0, -1)) },
  { what: "a key longer by one", authorization: bearer(({ key }) => `${key}0`) },
  { what: "a key in capitals", authorization: bearer(({ key }) => key.toUpperCase()) },
  {
    what: "a key of another environment",
    authorization: bearer(({ key }) => key.replace("_test_", "_live_")),
  },
  {
    what: "a key of another id",
    authorization: bearer(({ key }) => key.replace("_k7f3_", "_k7f4_")),
  },
  { what: "two keys", authorization: bearer(({ key, forged }) => `${forged}, Bearer ${key}`) },
  { what: "a key and more", authorization: bearer(({ key }) => `${key} x`) },
  { what: "an endless key", authorization: bearer(() => "a".repeat(7_000)) },
  { what: "the id alone", authorization: bearer(() => "k7f3") },
  { what: "an object's own name", authorization: bearer(() => "gw_test_constructor_x_y") },
  { what: "an unsigned token", authorization: bearer(() => unsigned) },
  {
    what: "the key as a header of its own",
    authorization: () => null,
    headers: ({ key }) => ({ "x-api-key": key, "x-gangway-key": key }),
  },
  {
    what: "the key as a cookie",
    authorization: () => null,
    headers: ({ key }) => ({ cookie: `authorization=Bearer ${key}; key=${key}` }),
  },
  {
    what: "the key in the query",
    authorization: () => null,
    query: ({ key }) => `?key=${key}&access_token=${key}`,
  },
  {
    what: "a tenant by header",
    authorization: () => null,
    headers: () => ({ "x-tenant": "acme", "x-gangway-tenant": "acme", "x-forwarded-user": "k7f3" }),
  },
  {
    what: "the platform's identity",
    authorization: () => null,
    headers: () => ({
      "cf-access-authenticated-user-email": "a@example.com",
      "cf-connecting-ip": "127.0.0.1",
    }),
  },
];
