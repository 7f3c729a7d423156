import { accept, type Check } from "../../../shared/policy/check.ts";
import { checkBareEnvNames, type DockerLaunch } from "../../../shared/policy/docker.ts";
import type { EnvNameReason } from "../../../shared/policy/reasons.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";

type Environment = Pick<Launch, "env" | "secret_env">;

interface ContainerParts {
  /** The launch with references as they are written, and with their values. */
  readonly written: DockerLaunch;
  readonly expanded: DockerLaunch;
  /** The environment that the config gives to its command. */
  readonly environment: Environment;
  /** Handed on without being named: variables of Gangway's own. */
  readonly always: readonly string[];
}

/**
 * What of a config's environment its container sees: as with docker, the names that `-e` forwards
 * and the values that `-e` sets. A name that the config does not set is refused, since docker
 * would take its value from the environment of the host.
 */
export function containerEnvironment(parts: ContainerParts): Check<Environment, EnvNameReason> {
  const { written, expanded, environment, always } = parts;
  const { env, secret_env } = environment;
  const checked = checkBareEnvNames(expanded, { ...env, ...secret_env });
  if (!checked.ok) return checked;
  const names = new Set([...expanded.envNames, ...always]);
  const picked = { env: pick(env, names), secret_env: pick(secret_env, names) };
  for (const [name, value] of Object.entries(expanded.envValues)) {
    if (names.has(name) && (Object.hasOwn(env, name) || Object.hasOwn(secret_env, name))) continue;
    const isSecret = written.envValues[name] !== value;
    (isSecret ? picked.secret_env : picked.env)[name] = value;
  }
  return accept(picked);
}

function pick(
  environment: Readonly<Record<string, string>>,
  names: ReadonlySet<string>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => names.has(name)));
}
