import { spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Reads process groups from its stdin. When that ends without a `done`, `npm start` was killed
 * without a chance to end its parts: the watcher does it, gently and then not, and removes the
 * folder that holds the start's secrets.
 */
const script = `
trap '' INT TERM HUP
groups=''
while read -r word group; do
  case "$word" in
    +) groups="$groups $group" ;;
    done) exit 0 ;;
  esac
done
for group in $groups; do kill -TERM "-$group" 2>/dev/null; done
tenths=0
for group in $groups; do
  while kill -0 "-$group" 2>/dev/null && [ "$tenths" -lt 120 ]; do
    tenths=$((tenths + 1))
    sleep 0.1
  done
  kill -KILL "-$group" 2>/dev/null
done
rm -rf -- "$1"
`;

/** Ends what `npm start` started when `npm start` itself is killed. */
export interface OrphanWatcher {
  /** Watches over a process group from now on. */
  readonly add: (group: number) => void;
  /** Nothing is left to watch over; resolves when the watcher has gone. */
  readonly release: () => Promise<void>;
}

/** `folder` is removed when `npm start` is killed. */
export function watchOrphans(folder: string): OrphanWatcher {
  const watcher = spawn("/bin/sh", ["-c", script, "gangway-start-watcher", folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
  });
  const ended = once(watcher, "exit");
  watcher.stdin.on("error", () => {
    // It was killed: there is nobody left to tell.
  });
  watcher.unref();
  return {
    add: (group) => void watcher.stdin.write(`+ ${group}\n`),
    release: async () => {
      watcher.ref();
      watcher.stdin.end("done\n");
      await ended;
    },
  };
}
