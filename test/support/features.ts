import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeSealKey } from "../../shared/seal/seal-keys.ts";
import { type Gangway, type GangwayOptions, startGangway } from "./gangway.ts";
import { type NpmRegistry, startNpmRegistry, stdioFixtures } from "./npm-registry.ts";
import { type StartedFixture, startFixture } from "./start-fixture.ts";

/** What a feature server saw; see test/fixtures/http/features.ts. */
export interface Observed {
  readonly methods: Readonly<Record<string, number>>;
  readonly cancelled: number;
  readonly waiting: number;
  readonly logLevels: readonly string[];
  readonly ended: number;
  readonly sessions?: number;
}

/** The whole product with feature servers of both eras and over stdio: `legacy`, `modern`, `stdio`. */
export interface FeatureGangway extends Pick<Gangway, "url" | "key" | "post" | "close"> {
  readonly legacy: StartedFixture;
  readonly modern: StartedFixture;
  /** What the stdio server wrote down, a line each. */
  readonly stdioLines: () => Promise<readonly string[]>;
  /** GETs a JSON or empty answer of a fixture. */
  readonly observed: (fixture: StartedFixture) => Promise<Observed>;
}

/** A secret that every feature server has, and tells when asked. */
export const featureToken = "token-4711-secret";

export async function startFeatures(
  options: Partial<GangwayOptions> & {
    readonly legacyFlags?: readonly string[];
    readonly modernFlags?: readonly string[];
    /** Fields of the three servers' configs. */
    readonly fields?: Readonly<Record<string, unknown>>;
  } = {},
): Promise<FeatureGangway> {
  const { legacyFlags = [], modernFlags = [], fields = {}, ...rest } = options;
  const folder = await mkdtemp(join(tmpdir(), "gangway-features-"));
  await chmod(folder, 0o777); // A launch may have a user id of its own.
  const observedFile = join(folder, "observed");
  const env = { TOKEN: featureToken };
  const [registry, legacy, modern] = await Promise.all([
    startNpmRegistry([stdioFixtures()]),
    startFixture("http/features-legacy.ts", legacyFlags, env),
    startFixture("http/features-modern.ts", modernFlags, env),
  ]);
  const remote = { type: "mcp", transport: "http", headers: { "X-Token": "${TOKEN}" }, ...fields };
  const gangway = await startGangway({
    registry: registry.url,
    servers: [
      { name: "legacy", url: `${legacy.url}/mcp`, ...remote },
      { name: "modern", url: `${modern.url}/mcp`, ...remote },
      {
        name: "stdio",
        type: "mcp",
        command: "npx",
        args: ["-y", "-p", "@fixture/stdio@1.0.0", "features"],
        env: { TOKEN: "${TOKEN}", OBSERVED: observedFile },
        ...fields,
      },
    ],
    ...rest,
    vars: { GW_SECRET_TOKEN: featureToken, GANGWAY_SEAL_KEYS: makeSealKey("k1"), ...rest.vars },
  });
  return {
    url: gangway.url,
    key: gangway.key,
    post: gangway.post,
    legacy,
    modern,
    stdioLines: async () => {
      const lines = await readFile(observedFile, "utf8").catch(() => "");
      return lines.split("\n").filter((line) => line !== "");
    },
    observed: async ({ url }) => (await (await fetch(`${url}/observed`)).json()) as Observed,
    close: () => closeAll(gangway, [registry, legacy, modern], folder),
  };
}

async function closeAll(
  gangway: Gangway,
  others: readonly (NpmRegistry | StartedFixture)[],
  folder: string,
): Promise<void> {
  await gangway.close();
  await Promise.all(others.map((other) => other.close()));
  await rm(folder, { recursive: true, force: true });
}

/** Asks until `check` answers true, for `withinMs` at most; answers how long it took. */
export async function within(withinMs: number, check: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    if (await check()) return performance.now() - startedAt;
    const elapsedMs = performance.now() - startedAt;
    if (elapsedMs > withinMs) throw new TypeError(`not within ${withinMs} ms`);
    await sleep(20);
  }
}
