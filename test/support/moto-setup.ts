// Unpacks moto, an emulator of AWS, from Debian's packages beside the system's Python, without
// installing anything: `node test/support/moto-setup.ts` prints the folder for PYTHONPATH.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { madeOnce, ownApt, systemMirror, unpackAll } from "./debian-mirror.ts";

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

/** The folder with moto's modules, unpacked at the first call. */
export async function setUpMoto(): Promise<string> {
  try {
    return join(await madeOnce(`moto-${await fingerprint()}`, make), "dist-packages");
  } catch (cause) {
    const needs = `Debian's apt-get and dpkg-deb, its package mirror, and ${systemPython}`;
    throw new TypeError(`The emulator of AWS cannot be set up: that needs ${needs}.`, { cause });
  }
}

/** Changes with the packages and with the Python that they are for. */
async function fingerprint(): Promise<string> {
  const { stdout } = await run(systemPython, ["--version"]);
  const parts = [stdout, motoSuite, ...fromMotoSuite, ...fromOwnSuite];
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 12);
}

async function make(work: string): Promise<string> {
  const { uri, suite } = await systemMirror();
  const apt = await ownApt(work, { uri, suites: [...new Set([suite, motoSuite])] });
  await apt.get(
    "download",
    ...fromMotoSuite.map((name) => `python3-${name}/${motoSuite}`),
    ...fromOwnSuite.map((name) => `python3-${name}/${suite}`),
  );
  const root = join(work, "root");
  await unpackAll(apt.packages, root);
  const made = join(work, "made");
  await mkdir(made);
  await rename(join(root, "usr/lib/python3/dist-packages"), join(made, "dist-packages"));
  return made;
}

if (import.meta.main) console.log(await setUpMoto());
