import { spawnSync } from "node:child_process";
import { closeSync, readdirSync, readFileSync } from "node:fs";
import type { Environment } from "../setting-readers.ts";
import { neededCapabilities } from "./process-rights.ts";
import { findUtilLinux, type UtilLinux } from "./util-linux.ts";

/** The last argument of a host that has been through this. */
const mark = "--confined";

const closeOnExec = 0o2000000;

/** Of the environment, a host keeps what it or its Node reads. */
const kept =
  /^(?:GANGWAY_HOST_.*|PATH|HOME|TMPDIR|LANG|TZ|NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SSL_CERT_(?:FILE|DIR)|(?:HTTPS?|NO)_PROXY|(?:https?|no)_proxy)$/;

/**
 * A host that root started becomes, by `exec` and so under the same pid, one that holds the five
 * rights that it needs, can gain no other, dumps no core, has nothing in its environment but its
 * settings, and no open file of whoever started it. Returns when this is so already, or cannot be:
 * what then becomes of the host is decided where launches are isolated.
 */
export function confineHost(environment: Environment): void {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  if (process.argv.at(-1) === mark || process.execve === undefined) return;
  const tools = findUtilLinux();
  if ("missing" in tools) return;
  const [program, ...args] = confiningArgv(tools);
  if (spawnSync(program, [...args, "/bin/true"], { stdio: "ignore" }).status !== 0) return;
  const self = [process.execPath, ...process.execArgv, ...process.argv.slice(1), mark];
  closeInherited();
  process.execve(program, [program, ...args, ...self], keptOf(environment));
}

/** Rights are made inheritable first: without the bounding set, root gets no others at an exec. */
function confiningArgv({ setpriv, prlimit }: UtilLinux): [string, ...string[]] {
  const rights = neededCapabilities.map((name) => `+${name.toLowerCase()}`).join(",");
  const keep = [setpriv, `--inh-caps=-all,${rights}`, "--clear-groups", "--"] as const;
  const drop = [setpriv, "--bounding-set=-all", "--no-new-privs", "--"];
  return [...keep, ...drop, prlimit, "--core=0:0", "--"];
}

/** Files that would go on to what the host starts; Node's own end with the exec. */
function closeInherited(): void {
  const inherited = readdirSync("/proc/self/fd").map(Number).filter(staysOpen);
  for (const file of inherited) closeSync(file);
}

function staysOpen(file: number): boolean {
  if (file <= 2) return false;
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${file}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false; // The folder's own, which is closed by now.
  }
}

function keptOf(environment: Environment): Record<string, string> {
  const entries = Object.entries(environment).filter(([name]) => kept.test(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? ""]));
}
