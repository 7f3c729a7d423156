import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const folders = ["/usr/sbin", "/usr/bin", "/sbin", "/bin"];

export interface Wanted {
  /** What the programs are for, as the beginning of a sentence. */
  readonly what: string;
  readonly programs: readonly string[];
  /** Debian's packages that have them. */
  readonly packages: readonly string[];
}

/**
 * Why the programs cannot be had on this machine; null = they are there. They are installed where
 * they are missing and may be: on Debian, by root.
 */
export async function whyMissing({ what, programs, packages }: Wanted): Promise<string | null> {
  if (programs.every(isInstalled)) return null;
  if (!existsSync("/etc/debian_version")) return `${what} comes from Debian's packages`;
  if (process.getuid?.() !== 0) return `${what} is not installed, and only root may install it`;
  await install(packages);
  return null;
}

function isInstalled(program: string): boolean {
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** Test files run side by side: one installs, the others wait for it. */
async function install(packages: readonly string[]): Promise<void> {
  const script = `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${packages.join(" ")}`;
  await run("flock", ["/run/lock/gangway-test-apt", "sh", "-c", script], {
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    maxBuffer: 64 * 1024 * 1024,
  });
}
