import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { seal, type SealContext, unseal } from "../../../../shared/seal/seal.ts";
import {
  isSealKeys,
  makeSealKey,
  readSealKeys,
  type SealKeys,
} from "../../../../shared/seal/seal-keys.ts";

const context: SealContext = {
  purpose: "session",
  tenant: "acme",
  subject: "user-1",
  keyId: "k7f3",
  server: "0f4c",
};
const now = 1_000_000;
const later = now + 60_000;

async function keysOf(...entries: string[]): Promise<SealKeys> {
  const keys = await readSealKeys(entries.join(","));
  if (keys === null) throw new TypeError("the test's keys are wrong");
  return keys;
}

describe("a sealed value", () => {
  it("opens with the data that was sealed", async () => {
    const keys = await keysOf(makeSealKey("a"));
    const data = { session: "s-1", nested: [1, null, "ü"] };
    expect(await unseal(keys, context, await seal(keys, context, data, later), now)).toEqual({
      ok: true,
      data,
    });
  });

  it("shows nothing of its data and is URL-safe text", async () => {
    const keys = await keysOf(makeSealKey("a"));
    const text = await seal(keys, context, { secret: "canary-canary-canary" }, later);
    expect(text).toMatch(/^gws1\.a\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/);
    expect(atob(text.split(".")[3]?.replaceAll("-", "+").replaceAll("_", "/") ?? "")).not.toContain(
      "canary",
    );
  });

  it.each<[keyof SealContext, string]>([
    ["tenant", "globex"],
    ["subject", "user-2"],
    ["keyId", "k2d8"],
    ["server", "9c1e"],
    ["purpose", "request_state"],
  ])("does not open for another %s (case 3)", async (field, value) => {
    const keys = await keysOf(makeSealKey("a"));
    const text = await seal(keys, context, "data", later);
    const other = { ...context, [field]: value } as SealContext;
    expect(await unseal(keys, other, text, now)).toEqual({ ok: false, reason: "foreign" });
  });

  it("opens until it expires and not from then on", async () => {
    const keys = await keysOf(makeSealKey("a"));
    const text = await seal(keys, context, "data", later);
    expect(await unseal(keys, context, text, later - 1)).toMatchObject({ ok: true });
    expect(await unseal(keys, context, text, later)).toEqual({ ok: false, reason: "expired" });
  });

  it("opens after a rotation while the old key is kept, and not after it is gone", async () => {
    const [old, current] = [makeSealKey("a"), makeSealKey("b")];
    const text = await seal(await keysOf(old), context, "data", later);
    expect(await unseal(await keysOf(current, old), context, text, now)).toMatchObject({
      ok: true,
    });
    expect(await unseal(await keysOf(current), context, text, now)).toMatchObject({ ok: false });
  });

  it("does not open when any one character is changed", async () => {
    const keys = await keysOf(makeSealKey("a"));
    const text = await seal(keys, context, { a: 1 }, later);
    const opened: number[] = [];
    // The last character of base64 may hold bits that no byte uses.
    for (let at = 0; at < text.length - 1; at += 1) {
      const changed = `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
      if ((await unseal(keys, context, changed, now)).ok) opened.push(at);
    }
    expect(opened).toEqual([]);
  });

  it("answers any other text as foreign and never throws", async () => {
    const keys = await keysOf(makeSealKey("a"));
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.string().map((s) => `gws1.a.${s}.${s}`),
        ),
        async (text) => {
          expect(await unseal(keys, context, text, now)).toEqual({ ok: false, reason: "foreign" });
        },
      ),
    );
  });

  it("does not open with a part more or less, or under another mark", async () => {
    const keys = await keysOf(makeSealKey("a"));
    const text = await seal(keys, context, "data", later);
    const [mark, id, iv, sealed] = text.split(".");
    for (const other of [
      `${text}.`,
      `${text}.x`,
      `${mark}.${id}.${iv}`,
      `${mark}.${id}`,
      `gws2.${id}.${iv}.${sealed}`,
      `${mark}.b.${iv}.${sealed}`,
      `${mark}.${id}.${iv}!.${sealed}`,
      `${mark}.${id}..${sealed}`,
      `${mark}.${id}.${iv}.`,
    ]) {
      expect(await unseal(keys, context, other, now)).toEqual({ ok: false, reason: "foreign" });
    }
  });

  it("never seals the same data into the same text", async () => {
    const keys = await keysOf(makeSealKey("a"));
    expect(await seal(keys, context, "data", later)).not.toBe(
      await seal(keys, context, "data", later),
    );
  });
});

describe("seal keys", () => {
  it.each([
    ["nothing", () => ""],
    ["no id", () => makeSealKey("a").slice(2)],
    ["a short key", () => "a:AAAA"],
    ["two keys of one id", () => `${makeSealKey("a")},${makeSealKey("a")}`],
    ["an id of other characters", () => makeSealKey("A!")],
    ["something before the id", () => `A!${makeSealKey("a")}`],
    ["something behind the key", () => `${makeSealKey("a")}A`],
    ["an id of 17 characters", () => makeSealKey("a".repeat(17))],
    ["a good key and none", () => `${makeSealKey("a")},`],
  ])("refuses %s", async (_name, text) => {
    const written = text();
    expect(await readSealKeys(written)).toBeNull();
    expect(isSealKeys(written)).toBe(false);
  });

  it("takes ids of up to 16 characters, with blanks around an entry", async () => {
    const text = ` ${makeSealKey("a".repeat(16))} , ${makeSealKey("b2")}\n`;
    const keys = await keysOf(text);
    expect(keys.current.id).toBe("a".repeat(16));
    expect(keys.all.map(({ id }) => id)).toEqual(["a".repeat(16), "b2"]);
    expect(isSealKeys(text)).toBe(true);
  });

  it("cannot be taken out of the runtime again", async () => {
    const { current } = await keysOf(makeSealKey("a"));
    expect(current.key.extractable).toBe(false);
  });
});
