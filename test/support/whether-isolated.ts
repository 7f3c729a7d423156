import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";

const nobody = { uid: 65_534, gid: 65_534 };

/** Why a host on this machine cannot isolate launches; null = it can. */
export function whyNotIsolated(): string | null {
  if (process.platform !== "linux") return "only Linux isolates launches";
  if (process.getuid?.() !== 0) return "only root may start programs under other user ids";
  try {
    accessSync("/usr/bin/setpriv", constants.X_OK);
  } catch {
    return "util-linux is missing";
  }
  const { status } = spawnSync(process.execPath, ["--eval", "0"], { ...nobody, stdio: "ignore" });
  return status === 0 ? null : `other users cannot run ${process.execPath}`;
}
