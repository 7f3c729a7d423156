import { accept, refuse, type Check } from "./check.ts";
import { reservedEnvNames } from "./reserved-env-names.ts";
import type { EnvNameReason } from "./reasons.ts";
import { shown } from "./shown.ts";

/** Longest name that is taken. */
const longestName = 256;
/** POSIX.1-2017, XBD 8.1, with lower case. */
const pattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface EnvNameRules {
  /** Names that the operator's policy sets free, of those that policy may set free. */
  readonly optIn?: readonly string[];
}

/**
 * Checks the name of an environment variable that a config hands to a server. Names that steer
 * launchers, loaders, interpreters, certificate stores or Gangway itself are reserved, in any case.
 */
export function checkEnvName(name: string, rules: EnvNameRules = {}): Check<string, EnvNameReason> {
  if (name.length > longestName || !pattern.test(name)) return refusedGrammar(name);
  const reserved = findReserved(name.toUpperCase());
  if (reserved === undefined) return accept(name);
  if (!reserved.optIn) return refusedReserved(name, reserved.why, reservedHint);
  const isFree = (rules.optIn ?? []).includes(name);
  return isFree ? accept(name) : refusedReserved(name, reserved.why, optInHint);
}

function findReserved(upper: string): (typeof reservedEnvNames)[number] | undefined {
  return reservedEnvNames.find(
    ({ names, except }) => names.some((entry) => matches(entry, upper)) && !except?.includes(upper),
  );
}

function matches(entry: string, upper: string): boolean {
  return entry.endsWith("*") ? upper.startsWith(entry.slice(0, -1)) : upper === entry;
}

function refusedGrammar(name: string): Check<never, EnvNameReason> {
  return refuse(
    "env-name-invalid",
    `${shown(name)} is no name of an environment variable.`,
    "Use letters, digits and underscores, not a digit first.",
  );
}

function refusedReserved(name: string, why: string, hint: string): Check<never, EnvNameReason> {
  return refuse(
    "env-name-reserved",
    `The environment variable ${name} is reserved: it ${why}.`,
    hint,
  );
}

const reservedHint =
  "Remove it; settings of the server itself go under names of its own or into its args.";
const optInHint = "Remove it, or ask the operator to set this very name free in the policy.";
