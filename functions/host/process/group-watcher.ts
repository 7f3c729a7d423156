import { type ChildProcess, spawn } from "node:child_process";
import type { Isolation } from "../isolation/open-isolation.ts";
import type { Log } from "../log.ts";

/**
 * The watcher outlives a host that is killed: it reads the groups and user ids that run from its
 * stdin, and at the end of it kills those that are left, and on Linux what has left its group but
 * still has one of the host's folders in its environment, and removes the host's folder of process
 * directories. `kill -1` under a user id reaches all of it at one moment, once it comes through;
 * what stops the killer is killed one by one.
 */
const script = `
trap '' INT TERM HUP
groups=' '
uids=' '
while read -r sign value; do
  case "$sign" in
    +) groups="$groups$value " ;;
    -) groups="\${groups%% $value *} \${groups#* $value }" ;;
    ++) uids="$uids$value " ;;
    --) uids="\${uids%% $value *} \${uids#* $value }" ;;
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
killall() { timeout -s KILL 1 "$1" --reuid="$2" --regid="$2" --clear-groups -- /bin/sh -c 'kill -KILL -1'; }
for uid in $uids; do killall "$2" "$uid"; done
for uid in $uids; do
  round=0
  while [ $round -lt 100 ]; do
    round=$((round + 1))
    killall "$2" "$uid"
    ended=$?
    strays=$(grep -lsE "^Uid:.*[[:space:]]$uid([[:space:]]|$)" /proc/[0-9]*/status)
    [ $ended -eq 0 ] || [ -z "$strays\${ended#1}" ] && break
    for stray in $strays; do
      stray=\${stray#/proc/}
      kill -KILL "\${stray%/status}" 2>/dev/null
    done
  done
done
rm -rf -- "$1" || { chown -hR 0:0 -- "$1"; rm -rf -- "$1"; }
`;

export interface WatcherDependencies {
  readonly isolation: Isolation | null;
  readonly log: Log;
}

/** Sees to it that nothing that the host has started outlives it, not even its kill -9. */
export class GroupWatcher {
  readonly #groups = new Set<number>();
  readonly #uids = new Set<number>();
  readonly #folder: string;
  readonly #isolation: Isolation | null;
  readonly #log: Log;
  #watcher: ChildProcess | undefined;
  #closed = false;
  #restartsLeft = 20;

  /** `folder` is removed when the host has ended. */
  constructor(folder: string, { isolation, log }: WatcherDependencies) {
    this.#folder = folder;
    this.#isolation = isolation;
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

  /** Everything that runs under the id is the host's to end. */
  addUid(uid: number): void {
    this.#uids.add(uid);
    this.#tell("++", uid);
  }

  removeUid(uid: number): void {
    if (this.#uids.delete(uid)) this.#tell("--", uid);
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
    const { setpriv = "", locks = [] } = this.#isolation ?? {};
    const watcher = spawn("/bin/sh", ["-c", script, "gangway-watcher", this.#folder, setpriv], {
      detached: true,
      // The ids stay claimed until the watcher is done with them.
      stdio: ["pipe", "ignore", "ignore", ...locks],
      cwd: "/",
      env: { PATH: "/usr/bin:/bin" },
    });
    watcher.stdin?.on("error", () => {
      /* The exit event, which restarts it, says all. */
    });
    watcher.once("exit", () => this.#restart());
    watcher.once("error", (err) =>
      this.#log.error({ err }, "process watcher could not be started"),
    );
    watcher.unref();
    this.#watcher = watcher;
    for (const group of this.#groups) this.#tell("+", group);
    for (const uid of this.#uids) this.#tell("++", uid);
  }

  #restart(): void {
    if (this.#closed || this.#restartsLeft === 0) return;
    this.#restartsLeft -= 1;
    this.#start();
    this.#log.warn("process watcher ended; another one watches now");
  }

  #tell(sign: "+" | "-" | "++" | "--", value: number): void {
    this.#watcher?.stdin?.write(`${sign} ${value}\n`);
  }
}
