import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
/** Twenty times what it takes on a good line. */
const aptWithinMs = 180_000;
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

export interface Mirror {
  readonly uri: string;
  /** The system's own release, as `bookworm`. */
  readonly suite: string;
}

/** apt-get with lists and caches of its own, in a folder: the system's apt sees nothing of it. */
export interface OwnApt {
  /** Runs apt-get in the folder `packages`. */
  readonly get: (...args: readonly string[]) => Promise<void>;
  /** Where `download` leaves packages. */
  readonly packages: string;
  /** Where `install --download-only` leaves packages. */
  readonly archives: string;
}

/** Where the system's own packages come from, as apt itself reads its sources. */
export async function systemMirror(): Promise<Mirror> {
  const release = await readFile("/etc/os-release", "utf8");
  const suite = /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1];
  const format = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)";
  const { stdout } = await run("apt-get", [
    "indextargets",
    "--no-release-info",
    "--format",
    format,
    "Created-By: Packages",
  ]);
  for (const line of stdout.split("\n")) {
    const [uri, of, component] = line.split("|");
    if (uri !== undefined && suite !== undefined && of === suite && component === "main") {
      return { uri, suite };
    }
  }
  throw new TypeError("apt's sources name no mirror of this Debian release's main packages");
}

/** Reads the lists of the suites. `options` are further options of apt. */
export async function ownApt(
  work: string,
  { uri, suites }: { readonly uri: string; readonly suites: readonly string[] },
  options: readonly string[] = [],
): Promise<OwnApt> {
  const sources = join(work, "debian.list");
  await writeFile(
    sources,
    suites.map((suite) => `deb [signed-by=${keyring}] ${uri} ${suite} main\n`).join(""),
  );
  const packages = join(work, "packages");
  const archives = join(work, "cache", "archives");
  await mkdir(packages);
  await mkdir(join(archives, "partial"), { recursive: true });
  await mkdir(join(work, "lists", "partial"), { recursive: true });
  const all = [
    `Dir::Etc::sourcelist=${sources}`,
    "Dir::Etc::sourceparts=/dev/null",
    `Dir::State::lists=${join(work, "lists")}`,
    `Dir::Cache=${join(work, "cache")}`,
    "Acquire::Languages=none",
    "Acquire::Retries=2",
    "APT::Sandbox::User=",
    ...options,
  ].flatMap((option) => ["-o", option]);
  const get = async (...args: readonly string[]): Promise<void> => {
    await run("apt-get", [...all, "-qq", ...args], { cwd: packages, timeout: aptWithinMs });
  };
  await get("update");
  return { get, packages, archives };
}

/** Unpacks every package of a folder below `root`, without installing it. */
export async function unpackAll(packages: string, root: string): Promise<void> {
  const files = (await readdir(packages)).filter((file) => file.endsWith(".deb"));
  if (files.length === 0) throw new TypeError("apt-get brought no packages");
  for (const file of files) await run("dpkg-deb", ["--extract", join(packages, file), root]);
}

/**
 * A folder of the user's cache that is made at the first call: `make` works in an empty folder
 * and gives the path in it that becomes the cached one.
 */
export async function madeOnce(
  name: string,
  make: (work: string) => Promise<string>,
): Promise<string> {
  const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "gangway");
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, `${name}-work-`));
  try {
    const made = await make(work);
    // Whoever comes second in a race finds the folder there and keeps it.
    await rename(made, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return folder;
}
