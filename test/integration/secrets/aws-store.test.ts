import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { cachedProvider } from "../../../functions/edge/secrets/cached-provider.ts";
import { createRefreshBook } from "../../../functions/edge/secrets/refresh-book.ts";
import { createSecretCache } from "../../../functions/edge/secrets/secret-cache.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { type Emulator, startEmulator } from "./emulator.ts";

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator();
});
afterAll(() => emulator.close());
afterEach(() => {
  for (const operation of ["GetSecretValue", "BatchGetSecretValue"]) {
    emulator.front.fault(operation, null);
  }
  emulator.front.forget();
});

async function failureOf(reading: Promise<unknown>): Promise<GatewayError> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new TypeError("the read did not fail");
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `NAME_${index}`);
}

describe("one bundle a namespace", () => {
  it("gives every secret of the namespace by one request", async () => {
    await emulator.create("gangway/acme/bundle", '{"A":"value-of-a","B":"value-of-b","N":1}');
    const read = await emulator.store().read("acme", ["A", "MISSING"], undefined);
    expect(read).toEqual({
      values: new Map([
        ["A", "value-of-a"],
        ["B", "value-of-b"],
      ]),
      whole: true,
    });
    expect(emulator.front.operations).toEqual(["GetSecretValue"]);
    expect(emulator.front.ids).toEqual(["gangway/acme/bundle"]);
  });

  it("gives nothing for a namespace without a bundle, and for one whose bundle was deleted", async () => {
    await emulator.create("gangway/gone/bundle", '{"A":"value-of-a"}');
    await emulator.remove("gangway/gone/bundle");
    for (const namespace of ["none", "gone"]) {
      const read = await emulator.store().read(namespace, ["A"], undefined);
      expect(read).toEqual({ values: new Map(), whole: true });
    }
  });

  it.each([
    ["is no JSON", "ghp_abcdefghijklmnop"],
    ["is no object", '["ghp_abcdefghijklmnop"]'],
    ["is null", "null"],
  ])("tells a bundle that %s, without its text", async (_how, text) => {
    const name = `t${crypto.randomUUID().slice(0, 8)}`;
    await emulator.create(`gangway/${name}/bundle`, text);
    const error = await failureOf(emulator.store().read(name, ["A"], undefined));
    expect(error.code).toBe("SECRET_UNUSABLE");
    expect(error.message + String(error.cause) + JSON.stringify(error.details)).not.toContain(
      "ghp_",
    );
  });

  it("tells a value that is no string only to who asks for it", async () => {
    const error = await failureOf(emulator.store().read("acme", ["N"], undefined));
    expect(error).toMatchObject({ code: "SECRET_UNUSABLE", details: { references: ["N"] } });
  });

  it("reads the version with the configured label", async () => {
    await emulator.create("gangway/staged/bundle", '{"A":"first-value"}');
    await emulator.rotate("gangway/staged/bundle", '{"A":"second-value"}');
    const read = (stage: string) => emulator.store({ stage }).read("staged", ["A"], undefined);
    expect((await read("AWSCURRENT")).values.get("A")).toBe("second-value");
    expect((await read("AWSPREVIOUS")).values.get("A")).toBe("first-value");
    expect((await read("NO_SUCH_LABEL")).values.size).toBe(0);
  });
});

describe("one secret a name", () => {
  const names = numbered(45);

  beforeAll(async () => {
    for (const name of names) await emulator.create(`gangway/many/${name}`, `value-of-${name}`);
    await emulator.createBinary("gangway/many/BINARY");
    await emulator.create("gangway/many/DELETED", "deleted-value");
    await emulator.remove("gangway/many/DELETED");
  });

  const store = (changes: Parameters<Emulator["store"]>[0] = {}) =>
    emulator.store({ layout: "per-name", ...changes });

  it("reads 45 names by three batches, and leaves missing and deleted ones out", async () => {
    const read = await store().read("many", [...names, "MISSING", "DELETED"], undefined);
    expect(read).toEqual({
      values: new Map(names.map((name) => [name, `value-of-${name}`])),
      whole: false,
    });
    expect(emulator.front.operations).toEqual(
      Array.from({ length: 3 }, () => "BatchGetSecretValue"),
    );
  });

  it("reads one name by one request", async () => {
    const read = await store().read("many", ["NAME_7"], undefined);
    expect(read.values).toEqual(new Map([["NAME_7", "value-of-NAME_7"]]));
    expect(emulator.front.operations).toEqual(["GetSecretValue"]);
  });

  it("reads one by one when batches are throttled", async () => {
    emulator.front.fault("BatchGetSecretValue", { kind: "throttle" });
    const read = await store().read("many", [...names, "MISSING"], undefined);
    expect(read.values.size).toBe(45);
    expect(emulator.front.operations.filter((name) => name === "GetSecretValue")).toHaveLength(46);
  });

  it("reads one by one where only single reads are granted", async () => {
    const read = await store({ credentials: emulator.moto.singleReader }).read(
      "many",
      ["NAME_1", "NAME_2"],
      undefined,
    );
    expect(read.values.size).toBe(2);
  });

  it("reads one by one the versions with another label", async () => {
    await emulator.rotate("gangway/many/NAME_3", "rotated-value");
    const read = await store({ stage: "AWSPREVIOUS" }).read(
      "many",
      ["NAME_3", "NAME_4"],
      undefined,
    );
    expect(read.values).toEqual(new Map([["NAME_3", "value-of-NAME_3"]]));
    expect(emulator.front.operations).toEqual(["GetSecretValue", "GetSecretValue"]);
    await emulator.rotate("gangway/many/NAME_3", "value-of-NAME_3");
  });

  it("tells failures that stand inside a batch's answer by reading those names themselves", async () => {
    const body = JSON.stringify({
      SecretValues: [{ Name: "gangway/many/NAME_1", SecretString: "value-of-NAME_1" }],
      Errors: [
        { SecretId: "gangway/many/MISSING", ErrorCode: "ResourceNotFoundException", Message: "" },
        { SecretId: "gangway/many/NAME_2", ErrorCode: "InternalServiceError", Message: "" },
      ],
    });
    emulator.front.fault("BatchGetSecretValue", { kind: "answer", body });
    const read = await store().read("many", ["NAME_1", "NAME_2", "MISSING"], undefined);
    expect([...read.values.keys()]).toEqual(["NAME_1", "NAME_2"]);
    expect(emulator.front.operations).toEqual(["BatchGetSecretValue", "GetSecretValue"]);
  });

  it("takes nothing from an answer that was cut for missing", async () => {
    const body = JSON.stringify({ SecretValues: [], Errors: [], NextToken: "more" });
    emulator.front.fault("BatchGetSecretValue", { kind: "answer", body });
    const read = await store().read("many", ["NAME_1", "NAME_2"], undefined);
    expect(read.values.size).toBe(2);
  });

  it("tells a binary secret by its name", async () => {
    for (const asked of [["BINARY"], ["NAME_1", "BINARY"]]) {
      const error = await failureOf(store().read("many", asked, undefined));
      expect(error).toMatchObject({ code: "SECRET_UNUSABLE", details: { references: ["BINARY"] } });
    }
  });
});

describe("a store that does not give", () => {
  it.each([
    ["an unknown key", () => ({ accessKeyId: "AKIAUNKNOWN", secretAccessKey: "x".repeat(40) })],
    [
      "a wrong secret key",
      () => ({ accessKeyId: emulator.moto.admin.accessKeyId, secretAccessKey: "x".repeat(40) }),
    ],
    ["a key without rights", () => emulator.moto.stranger],
  ])("refuses %s, and is not asked twice", async (_what, credentials) => {
    const store = emulator.store({ credentials: credentials() });
    const error = await failureOf(store.read("acme", ["A"], undefined));
    expect(error).toMatchObject({
      code: "SECRET_PROVIDER_REFUSED",
      retryable: false,
      type: "SecretError",
    });
    expect(error.details).toMatchObject({ store: "aws", references: ["A"] });
    expect(JSON.stringify([error.message, error.details])).not.toMatch(/arn:|user\/|xxxx/);
    expect(emulator.front.operations).toHaveLength(1);
  });

  it("tells an outage as one that a retry may mend", async () => {
    const store = emulator.store({ endpoint: new URL("http://127.0.0.1:1") });
    const error = await failureOf(store.read("acme", ["A"], undefined));
    expect(error).toMatchObject({
      code: "SECRET_PROVIDER_FAILED",
      retryable: true,
      executed: "no",
    });
  });

  it("gives up within its time limit when no answer comes", async () => {
    emulator.front.fault("GetSecretValue", { kind: "hang" });
    const error = await failureOf(emulator.store({}, 400).read("acme", ["A"], undefined));
    expect(error.code).toBe("SECRET_PROVIDER_FAILED");
    expect(error.message).toContain("no answer in 400 ms");
  });

  it("stops when the caller goes away", async () => {
    emulator.front.fault("GetSecretValue", { kind: "hang" });
    const caller = new AbortController();
    const reading = failureOf(emulator.store().read("acme", ["A"], caller.signal));
    caller.abort();
    expect((await reading).code).toBe("CANCELLED");
  });

  it("tells throttling after a second attempt, with a time to wait", async () => {
    emulator.front.fault("GetSecretValue", { kind: "throttle" });
    const error = await failureOf(emulator.store().read("acme", ["A"], undefined));
    expect(error).toMatchObject({
      code: "SECRET_PROVIDER_FAILED",
      retryable: true,
      retryAfterS: 5,
    });
    expect(error.message).toContain("throttling");
    expect(emulator.front.operations).toHaveLength(2);
  });

  it.each(["throttle", "fail"] as const)("gets over one %s", async (kind) => {
    emulator.front.fault("GetSecretValue", { kind }, 1);
    const read = await emulator.store().read("acme", ["A"], undefined);
    expect(read.values.get("A")).toBe("value-of-a");
  });

  it("shows nothing of an answer that cannot be read", async () => {
    emulator.front.fault("GetSecretValue", {
      kind: "answer",
      body: '{"SecretString": ghp_abcdefgh',
    });
    const error = await failureOf(emulator.store().read("acme", ["A"], undefined));
    expect(error.code).toBe("SECRET_PROVIDER_FAILED");
    const shown = [error.message, error.hint, error.details, error.cause];
    expect(JSON.stringify(shown)).not.toContain("ghp_");
  });
});

describe("the cached store", () => {
  it("gives a rotated value when the old one has expired, and at once when it is refused (case 28)", async () => {
    let now = 1_000_000;
    const clock = () => now;
    const provider = cachedProvider({
      store: emulator.store(),
      cache: createSecretCache({ now: clock, random: () => 0.5 }),
      refreshes: createRefreshBook(clock),
    });
    const value = async () => (await provider.getSecrets("turning", ["A"])).get("A");
    await emulator.create("gangway/turning/bundle", '{"A":"value-one"}');
    expect(await value()).toBe("value-one");

    await emulator.rotate("gangway/turning/bundle", '{"A":"value-two"}');
    expect(await value()).toBe("value-one");
    now += 180_000;
    expect(await value()).toBe("value-two");

    await emulator.rotate("gangway/turning/bundle", '{"A":"value-three"}');
    expect((await provider.refresh("turning", ["A"])).get("A")).toBe("value-three");
    expect(await value()).toBe("value-three");

    await emulator.remove("gangway/turning/bundle");
    now += 300_000;
    expect(await value()).toBeUndefined();
    expect(emulator.front.operations).toHaveLength(4);
  });

  it("is read at most twice in a minute where a server refuses its value for ever", async () => {
    let now = 1_000_000;
    const clock = () => now;
    const provider = cachedProvider({
      store: emulator.store(),
      cache: createSecretCache({ now: clock, random: () => 0.5 }),
      refreshes: createRefreshBook(clock),
    });
    await emulator.create("gangway/refused/bundle", '{"A":"value-refused"}');
    await provider.getSecrets("refused", ["A"]);
    emulator.front.forget();
    for (let second = 0; second < 60; second += 1) {
      await provider.refresh("refused", ["A"]);
      now += 1_000;
    }
    expect(emulator.front.operations.length).toBeGreaterThan(0);
    expect(emulator.front.operations.length).toBeLessThanOrEqual(2);
  });

  it("that does not answer for one tenant fails that one in time, and keeps no other waiting", async () => {
    await emulator.create("gangway/up/bundle", '{"A":"value-of-up"}');
    emulator.front.fault("GetSecretValue gangway/down/bundle", { kind: "hang" });
    const provider = cachedProvider({
      store: emulator.store({}, 2_000),
      cache: createSecretCache({ now: Date.now, random: () => 0.5 }),
      refreshes: createRefreshBook(Date.now),
    });
    const ends: string[] = [];
    const down = failureOf(provider.getSecrets("down", ["A"])).finally(() => ends.push("down"));
    const up = provider.getSecrets("up", ["A"]).finally(() => ends.push("up"));
    expect((await up).get("A")).toBe("value-of-up");
    expect(await down).toMatchObject({
      type: "SecretError",
      code: "SECRET_PROVIDER_FAILED",
      retryable: true,
      executed: "no",
    });
    expect(ends).toEqual(["up", "down"]);
    emulator.front.fault("GetSecretValue gangway/down/bundle", null);
  });
});
