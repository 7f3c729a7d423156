import { GatewayError } from "../../../shared/errors/gateway-error.ts";

/**
 * Why the system would not even try to run a program: PROCESS_START_FAILED. Its own words are
 * left out, since they show the argument or variable at fault with its value.
 */
export function startFault(cause: unknown): GatewayError {
  const code = codeOf(cause);
  const { told, hint, reason } = faults[code] ?? {
    told: `The server's process could not be started (${code}).`,
    hint: "The system of the host refused it: look at the host's limits and log.",
  };
  const details = { errno: code, ...(reason === undefined ? {} : { reason }) };
  return new GatewayError("PROCESS_START_FAILED", told, { hint, details, cause });
}

interface Fault {
  readonly told: string;
  readonly hint: string;
  readonly reason?: string;
}

const diskFull: Fault = {
  told: "The server's process could not be started: the host's disk has no room for its folders.",
  hint: "The operator of the host must make room in its data folder, or lower GANGWAY_HOST_MAX_PACKAGE_BYTES; then call again.",
  reason: "disk-full",
};

const faults: Partial<Record<string, Fault>> = {
  ENOSPC: diskFull,
  EDQUOT: diskFull,
  E2BIG: {
    told: "The server's arguments and environment are larger than the system takes.",
    hint: "Linux takes at most 128 KiB in one argument or variable, and about 2 MiB in all: give large values as a file or as the tool's arguments.",
  },
  ERR_INVALID_ARG_VALUE: {
    told: "The server's arguments or environment hold a NUL character, which no process can be given.",
    hint: "Remove the NUL character (\\u0000) from `args`, `env` or the secret's value.",
  },
};

function codeOf(cause: unknown): string {
  return cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
}
