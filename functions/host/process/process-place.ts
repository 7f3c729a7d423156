import type { Identity } from "../isolation/identity.ts";
import type { Isolation } from "../isolation/open-isolation.ts";
import { giveUpFirst } from "../isolation/give-up-first.ts";
import type { Log } from "../log.ts";
import { makeDirectories, type ProcessDirectories, removeDirectories } from "./directories.ts";
import type { GroupWatcher } from "./group-watcher.ts";
import type { Argv } from "./spawn-server.ts";
import { killStrays } from "./stray-processes.ts";

/** Where one process lives, and as whom; nobody else does before nothing of it is left. */
export interface ProcessPlace {
  readonly directories: ProcessDirectories;
  readonly cwd: string;
  /** null = the host's own user. */
  readonly identity: Identity | null;
  /** The command with what takes rights and means from it. */
  readonly limit: (argv: Argv) => Argv;
  /** To be told of the process as soon as it runs. */
  readonly enter: (pid: number) => void;
  /** Ends what the process has started and left, and gives up the place. */
  readonly leave: () => Promise<void>;
}

export interface PlaceDependencies {
  readonly instanceFolder: string;
  readonly watcher: GroupWatcher;
  readonly isolation: Isolation | null;
  readonly log: Log;
}

/** @throws GatewayError CAPACITY when no user id is free. */
export function openPlace(deps: PlaceDependencies): Promise<ProcessPlace> {
  const { isolation } = deps;
  return isolation === null ? openSharedPlace(deps) : openOwnPlace(deps, isolation);
}

async function openOwnPlace(
  { instanceFolder, watcher, log }: PlaceDependencies,
  { identities, limit }: Isolation,
): Promise<ProcessPlace> {
  const identity = await identities.take();
  watcher.addUid(identity.uid);
  const leave = async (directories?: ProcessDirectories) => {
    const ended = await identities.end(identity);
    const removed = directories === undefined || (await identities.remove(directories.root));
    if (!ended || !removed) return log.warn({ ended, removed, ...identity }, resists);
    watcher.removeUid(identity.uid);
    identities.free(identity);
  };
  try {
    const directories = await makeDirectories(instanceFolder, identity);
    return {
      directories,
      cwd: directories.work,
      identity,
      limit: limit.launch,
      enter: giveUpFirst,
      leave: () => leave(directories),
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

async function openSharedPlace({ instanceFolder, log }: PlaceDependencies): Promise<ProcessPlace> {
  const directories = await makeDirectories(instanceFolder, null);
  const leave = async () => {
    const ended = await killStrays(directories);
    const removed = await removeDirectories(directories);
    if (!ended || !removed) log.warn({ ended, removed }, resists);
  };
  return {
    directories,
    cwd: directories.work,
    identity: null,
    limit: (argv) => argv,
    enter: () => undefined,
    leave,
  };
}

const resists = "a server's processes or files could not be removed";
