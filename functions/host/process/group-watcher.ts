import { type ChildProcess, spawn } from "node:child_process";
import type { Log } from "../log.ts";

/**
 * The watcher outlives a host that is killed: it reads the groups that run from its stdin, and at
 * the end of it kills those that are left, and on Linux what has left its group but still has one
 * of the host's folders in its environment, and removes the host's folder of process directories.
 */
const script = `
trap '' INT TERM HUP
groups=' '
while read -r sign group; do
  case "$sign" in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
for round in 1 2 3 4 5 6 7 8; do
  strays=$(grep -lsF -e "HOME=$1/" -e "TMPDIR=$1/" /proc/[0-9]*/environ)
  [ -n "$strays" ] || break
  for stray in $strays; do
    stray=\${stray#/proc/}
    kill -KILL "\${stray%/environ}" 2>/dev/null
  done
done
rm -rf -- "$1"
`;

/** Sees to it that no process group outlives the host, not even its kill -9. */
export class GroupWatcher {
  readonly #groups = new Set<number>();
  readonly #folder: string;
  readonly #log: Log;
  #watcher: ChildProcess | undefined;
  #closed = false;
  #restartsLeft = 20;

  /** `folder` is removed when the host has ended. */
  constructor(folder: string, log: Log) {
    this.#folder = folder;
    this.#log = log;
    this.#start();
  }

  add(group: number): void {
    this.#groups.add(group);
    this.#tell("+", group);
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell("-", group);
  }

  /** Lets the watcher do its last work; resolves when it is done. */
  async close(): Promise<void> {
    this.#closed = true;
    const watcher = this.#watcher;
    if (watcher === undefined || watcher.exitCode !== null) return;
    watcher.ref();
    const ended = new Promise((resolve) => watcher.once("exit", resolve));
    watcher.stdin?.end();
    await ended;
  }

  #start(): void {
    const watcher = spawn("/bin/sh", ["-c", script, "gangway-watcher", this.#folder], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
    });
    watcher.stdin.on("error", () => {
      /* The exit event, which restarts it, says all. */
    });
    watcher.once("exit", () => this.#restart());
    watcher.once("error", (err) =>
      this.#log.error({ err }, "process watcher could not be started"),
    );
    watcher.unref();
    this.#watcher = watcher;
    for (const group of this.#groups) this.#tell("+", group);
  }

  #restart(): void {
    if (this.#closed || this.#restartsLeft === 0) return;
    this.#restartsLeft -= 1;
    this.#log.warn("process watcher ended; starting it anew");
    this.#start();
  }

  #tell(sign: "+" | "-", group: number): void {
    this.#watcher?.stdin?.write(`${sign} ${group}\n`);
  }
}
