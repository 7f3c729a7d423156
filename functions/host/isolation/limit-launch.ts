import { readFileSync } from "node:fs";
import type { Argv } from "../process/spawn-server.ts";
import type { IsolationSettings } from "./isolation-settings.ts";
import type { UtilLinux } from "./util-linux.ts";

/** Puts programs before a command that take rights and means from it and then become it, under the same pid. */
export interface LimitCommand {
  /** For the programs of servers. */
  readonly launch: (argv: Argv) => Argv;
  /** For installers, which share one id and so count their processes together. */
  readonly installer: (argv: Argv) => Argv;
}

/** They run under the identity already: what a launch's environment says to them, it says to itself. */
export function limitCommand(
  { setpriv, prlimit }: UtilLinux,
  { maxProcesses, maxOpenFiles, nodeHeapMb }: IsolationSettings,
): LimitCommand {
  const files = Math.min(maxOpenFiles, hardLimitOf("Max open files"));
  const processes = Math.min(maxProcesses, hardLimitOf("Max processes"));
  const drop = [setpriv, "--no-new-privs", "--inh-caps=-all", "--"] as const;
  const means = [prlimit, "--core=0:0", `--nofile=${files}:${files}`] as const;
  return {
    launch: (argv) => [
      ...means,
      `--nproc=${processes}:${processes}`,
      "--",
      ...drop,
      ...withHeapLimit(argv, nodeHeapMb),
    ],
    installer: (argv) => [...means, "--", ...drop, ...argv],
  };
}

/** A limit of the whole address space (RLIMIT_AS) would end Node at its start. */
function withHeapLimit([program, ...args]: Argv, heapMb: number): Argv {
  const isNode = program === process.execPath;
  return isNode ? [program, `--max-old-space-size=${heapMb}`, ...args] : [program, ...args];
}

/** Nobody but a right that hosts do not hold raises a hard limit. */
function hardLimitOf(name: string): number {
  const limits = readFileSync("/proc/self/limits", "utf8");
  const hard = new RegExp(`^${name}\\s+\\S+\\s+(\\S+)`, "m").exec(limits)?.[1];
  return hard === undefined || hard === "unlimited" ? Number.POSITIVE_INFINITY : Number(hard);
}
