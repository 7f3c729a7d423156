import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";

/** A package as a test publishes it. */
export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly bin?: string | Record<string, string>;
  readonly dependencies?: Record<string, string>;
  readonly scripts?: Record<string, string>;
  readonly engines?: Record<string, string>;
  /** When it was published; left out = in 2020. */
  readonly publishedAt?: Date;
  /** Contents by path inside the package; package.json is made from the fields above. */
  readonly files: Record<string, string>;
}

export interface NpmRegistry {
  readonly url: string;
  /** `GET` paths that were asked for, in order. */
  readonly requests: readonly string[];
  /** Adds a version and moves the tag `latest` (or another) to it. */
  readonly publish: (published: PublishedPackage, tag?: string) => void;
  /** Tarballs are not answered until the returned function is called. */
  readonly hold: () => () => void;
  readonly close: () => Promise<void>;
}

interface Package {
  readonly versions: Map<string, PublishedPackage>;
  readonly tags: Map<string, string>;
}

/** Starts a registry on a free loopback port that has the published packages and nothing else. */
export async function startNpmRegistry(
  published: readonly PublishedPackage[],
): Promise<NpmRegistry> {
  const packages = new Map<string, Package>();
  const requests: string[] = [];
  let held: Promise<void> = Promise.resolve();
  const publish: NpmRegistry["publish"] = (one, tag = "latest") => {
    const known = packages.get(one.name) ?? { versions: new Map(), tags: new Map() };
    known.versions.set(one.version, one);
    known.tags.set(tag, one.version);
    packages.set(one.name, known);
  };
  for (const one of published) publish(one);

  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname).slice(
      1,
    );
    requests.push(path);
    const [name = "", file] = path.split("/-/");
    const found = packages.get(name);
    if (found === undefined) return answer(response, 404, { error: "not found" });
    if (file === undefined)
      return answer(response, 200, packument(name, found, `http://${request.headers.host}`));
    const version = found.versions.get(file.replace(/\.tgz$/, ""));
    if (version === undefined) return answer(response, 404, { error: "not found" });
    void held.then(() => response.end(tarball(version)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url(),
    requests,
    publish,
    hold: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** All stdio fixture programs as one package, a bin each. */
export function stdioFixtures(): PublishedPackage {
  const folder = new URL("../fixtures/stdio/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".mjs"));
  return {
    name: "@fixture/stdio",
    version: "1.0.0",
    bin: Object.fromEntries(
      names.filter((name) => name !== "rpc.mjs").map((name) => [name.slice(0, -4), name]),
    ),
    files: Object.fromEntries(
      names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
    ),
  };
}

/** One fixture program as a package of its own, under a name and version of the test's choice. */
export function fixturePackage(
  program: string,
  as: Pick<PublishedPackage, "name" | "version">,
): PublishedPackage {
  const { files } = stdioFixtures();
  return { ...as, bin: { [as.name.replace(/^@[^/]+\//, "")]: `${program}.mjs` }, files };
}

const long = new Date("2020-01-01T00:00:00Z");

function packument(name: string, { versions, tags }: Package, url: string) {
  const describe = (one: PublishedPackage) => {
    const bytes = tarball(one);
    const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
    return {
      ...manifest(one),
      dist: { tarball: `${url}/${name}/-/${one.version}.tgz`, integrity },
    };
  };
  return {
    name,
    "dist-tags": Object.fromEntries(tags),
    time: Object.fromEntries(
      [...versions.values()].map(({ version, publishedAt = long }) => [
        version,
        publishedAt.toISOString(),
      ]),
    ),
    versions: Object.fromEntries([...versions.values()].map((one) => [one.version, describe(one)])),
  };
}

function manifest({ files: _files, publishedAt: _at, ...fields }: PublishedPackage) {
  return fields;
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function tarball(published: PublishedPackage): Buffer {
  const files = { "package.json": JSON.stringify(manifest(published)), ...published.files };
  const entries = Object.entries(files).flatMap(([path, content]) =>
    tarEntry(`package/${path}`, Buffer.from(content)),
  );
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(1024)]), { level: 1 });
}

/** POSIX.1-1988 (ustar) header and content, each padded to 512 bytes. */
function tarEntry(path: string, content: Buffer): Buffer[] {
  const header = Buffer.alloc(512);
  const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, "0")}\0`;
  header.write(path, 0);
  header.write(octal(0o755, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(content.length, 12), 124);
  header.write(octal(0, 12), 136);
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      7,
    )} `,
    148,
  );
  return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
}
