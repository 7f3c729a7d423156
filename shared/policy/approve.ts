import { stringify } from "yaml";
import { canonicalLaunch, type LaunchFields } from "./approved-launches.ts";
import { accept, type Check } from "./check.ts";
import type { DockerLaunchRules } from "./docker.ts";
import type { EnvNameReason, LaunchReason, PolicyReason } from "./reasons.ts";

/**
 * The text of a stdio server's entry under `approved_launches`, as one YAML list item. References
 * stay unexpanded: the entry holds no value of a secret. Whoever adds it trusts exactly this
 * launch with the secrets that it refers to. Refused as by `canonicalLaunch`.
 */
export function approve(
  server: LaunchFields,
  rules: DockerLaunchRules = {},
): Check<string, LaunchReason | EnvNameReason | PolicyReason> {
  const launch = canonicalLaunch(server, rules);
  if (!launch.ok) return launch;
  const { command, args, env, config, encoding } = server;
  const entry = {
    command,
    args,
    ...(Object.keys(env).length === 0 ? {} : { env }),
    ...(config === undefined ? {} : { config }),
    ...(encoding === "utf-8" ? {} : { encoding }),
  };
  return accept(stringify([entry], { lineWidth: 0 }));
}
