import { isIP } from "node:net";
import { type Environment, readNumber, SettingsError } from "../setting-readers.ts";

/** Who launches and installers are, and what a launch may take. */
export interface IsolationSettings {
  /** User ids that launches are given, both ends included; each is a group id as well. */
  readonly launchUids: UidRange;
  /** User and group id of npm and uv. */
  readonly installerUid: number;
  /** Most processes and threads of one launch. */
  readonly maxProcesses: number;
  /** Most files that one process of a launch has open. */
  readonly maxOpenFiles: number;
  /** Heap of a launch's Node, in mebibytes. */
  readonly nodeHeapMb: number;
  /** Where a cloud's metadata would answer; null = a host does not look. */
  readonly metadata: SocketAddress | null;
}

export interface UidRange {
  readonly first: number;
  readonly last: number;
}

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

const defaultUids = "30001-39999";
const defaultMetadata = "169.254.169.254:80";
/** A launch that has ended may hold its id for a moment longer than its place in the pool. */
export const spareUids = 8;

/** @throws SettingsError */
export function readIsolationSettings(
  environment: Environment,
  poolSize: number,
): IsolationSettings {
  const whole = (name: string, [fallback, least, most]: readonly [number, number, number]) =>
    readNumber(environment, name, { fallback, least, most });
  const launchUids = readUids(environment, poolSize + spareUids);
  const installerUid = whole("GANGWAY_HOST_INSTALLER_UID", [30_000, 1, 2_000_000_000]);
  if (installerUid >= launchUids.first && installerUid <= launchUids.last) {
    throw new SettingsError(
      "GANGWAY_HOST_INSTALLER_UID lies within GANGWAY_HOST_LAUNCH_UIDS; set one of them so that no launch can write to installed packages.",
    );
  }
  return {
    launchUids,
    installerUid,
    maxProcesses: whole("GANGWAY_HOST_LAUNCH_PROCESSES", [512, 32, 1_000_000]),
    maxOpenFiles: whole("GANGWAY_HOST_LAUNCH_FILES", [4096, 64, 1_000_000]),
    nodeHeapMb: whole("GANGWAY_HOST_LAUNCH_NODE_HEAP_MB", [1024, 64, 1_048_576]),
    metadata: readAddress(environment, "GANGWAY_HOST_METADATA_ADDRESS"),
  };
}

function readUids(environment: Environment, needed: number): UidRange {
  const name = "GANGWAY_HOST_LAUNCH_UIDS";
  const text = environment[name] || defaultUids;
  const [, first, last] = (/^(\d{1,10})-(\d{1,10})$/.exec(text) ?? []).map(Number);
  const remedy = `set it to FIRST-LAST, ids that nobody else on the machine has, or unset it for ${defaultUids}.`;
  if (
    first === undefined ||
    last === undefined ||
    first < 1 ||
    last > 2_000_000_000 ||
    last < first
  )
    throw new SettingsError(`${name} is no range of user ids; ${remedy}`);
  if (last - first + 1 < needed)
    throw new SettingsError(
      `${name} holds ${last - first + 1} ids and GANGWAY_HOST_MAX_PROCESSES asks for ${needed}; ${remedy}`,
    );
  return { first, last };
}

function readAddress(environment: Environment, name: string): SocketAddress | null {
  const text = environment[name] || defaultMetadata;
  if (text === "none") return null;
  const [, host = "", port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const address = host.replace(/^\[(.*)\]$/, "$1");
  if (isIP(address) > 0 && Number(port) > 0 && Number(port) < 65_536)
    return { host: address, port: Number(port) };
  throw new SettingsError(`${name} must be ADDRESS:PORT or none; unset it for ${defaultMetadata}.`);
}
