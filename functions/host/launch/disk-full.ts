import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/** The system's names of a disk, a quota or a table of files that has no room left. */
const full = new Set<unknown>(["ENOSPC", "EDQUOT"]);

/** With less than this no installation gets anywhere. */
const leastBytes = 256 * 1024;

/**
 * Whether the host, or an installer, failed for want of room on the disk of `folder`. Installers do
 * not always say so, since their own accounts need room as well: what was written must still be there.
 */
export async function isDiskFull(error: unknown, folder: string): Promise<boolean> {
  if (!(error instanceof GatewayError))
    return error instanceof Error && "code" in error && full.has(error.code);
  if (full.has(error.details?.["npm_code"])) return true;
  if (error.code !== "INSTALL_FAILED") return false;
  const disk = await readDisk(folder);
  return disk !== null && disk.bavail * disk.bsize < leastBytes;
}

async function readDisk(folder: string): Promise<StatsFs | null> {
  try {
    return await statfs(folder);
  } catch {
    return null; // Gone meanwhile: then nothing is known of it.
  }
}

/** INSTALL_FAILED that names the trouble; what the installer told of it is kept. */
export function diskFull(cause: unknown, spec: string): GatewayError {
  const known = cause instanceof GatewayError ? cause.details : undefined;
  const told = `The package ${spec} could not be installed: the host's disk is full.`;
  return new GatewayError("INSTALL_FAILED", told, {
    hint: "The operator of the host must make room in its data folder, or lower GANGWAY_HOST_MAX_PACKAGE_BYTES; then call again.",
    details: { ...known, package: spec, reason: "disk-full" },
    cause,
  });
}
