// Unpacks moto, an emulator of AWS, from Debian's packages beside the system's Python, without
// installing anything: `node test/support/moto-setup.ts` prints the folder for PYTHONPATH.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The first Debian release whose moto knows BatchGetSecretValue; its packages run on older Pythons too. */
const motoSuite = "trixie";
/** Pure Python, or with a fallback in Python. */
const fromMotoSuite =
  "moto antlr4 boto3 botocore flask flask-cors jinja2 requests responses werkzeug xmltodict dateutil itsdangerous click blinker markupsafe urllib3 jmespath s3transfer yaml idna certifi chardet charset-normalizer six joserfc multipart jsondiff pyparsing typing-extensions".split(
    " ",
  );
/** Compiled for the system's own Python. */
const fromOwnSuite = ["cryptography", "cffi-backend"];

export const systemPython = "/usr/bin/python3";

interface Mirror {
  readonly uri: string;
  readonly suite: string;
}

/** The folder with moto's modules, unpacked at the first call. */
export async function setUpMoto(): Promise<string> {
  try {
    const folder = join(cacheFolder(), `moto-${await fingerprint()}`);
    if (!existsSync(folder)) await make(folder);
    return join(folder, "dist-packages");
  } catch (cause) {
    const needs = `Debian's apt-get and dpkg-deb, its package mirror, and ${systemPython}`;
    throw new TypeError(`The emulator of AWS cannot be set up: that needs ${needs}.`, { cause });
  }
}

async function make(folder: string): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true });
  const work = await mkdtemp(join(cacheFolder(), "moto-work-"));
  try {
    await download(work, await systemMirror());
    const made = await unpack(work);
    // Whoever comes second in a race finds the folder there and keeps it.
    await rename(made, folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function cacheFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "gangway");
}

/** Changes with the packages and with the Python that they are for. */
async function fingerprint(): Promise<string> {
  const { stdout } = await run(systemPython, ["--version"]);
  const parts = [stdout, motoSuite, ...fromMotoSuite, ...fromOwnSuite];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
}

/** Where the system's own packages come from, as apt itself reads its sources. */
async function systemMirror(): Promise<Mirror> {
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

/** Fetches the packages with lists and caches of its own: the system's apt sees nothing of it. */
async function download(work: string, { uri, suite }: Mirror): Promise<void> {
  const sources = join(work, "debian.list");
  const suites = [...new Set([suite, motoSuite])];
  const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg";
  await writeFile(
    sources,
    suites.map((one) => `deb [signed-by=${keyring}] ${uri} ${one} main\n`).join(""),
  );
  const packages = join(work, "packages");
  await mkdir(packages);
  await mkdir(join(work, "lists", "partial"), { recursive: true });
  const options = [
    `Dir::Etc::sourcelist=${sources}`,
    "Dir::Etc::sourceparts=/dev/null",
    `Dir::State::lists=${join(work, "lists")}`,
    `Dir::Cache=${join(work, "cache")}`,
    "Acquire::Languages=none",
    "Acquire::Retries=2",
    "APT::Sandbox::User=",
  ].flatMap((option) => ["-o", option]);
  const names = [
    ...fromMotoSuite.map((name) => `python3-${name}/${motoSuite}`),
    ...fromOwnSuite.map((name) => `python3-${name}/${suite}`),
  ];
  await run("apt-get", [...options, "-qq", "update"], { cwd: packages });
  await run("apt-get", [...options, "-qq", "download", ...names], { cwd: packages });
}

async function unpack(work: string): Promise<string> {
  const packages = join(work, "packages");
  const root = join(work, "root");
  for (const file of await readdir(packages)) {
    await run("dpkg-deb", ["--extract", join(packages, file), root]);
  }
  const made = join(work, "made");
  await mkdir(made);
  await rename(join(root, "usr/lib/python3/dist-packages"), join(made, "dist-packages"));
  return made;
}

if (import.meta.main) console.log(await setUpMoto());
