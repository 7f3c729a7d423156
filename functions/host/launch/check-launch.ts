import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import type { Refusal } from "../../../shared/policy/check.ts";
import { checkEnvName } from "../../../shared/policy/env-names.ts";
import { parseLaunch } from "../../../shared/policy/launch.ts";
import type { Launch } from "../../../shared/run-contract/contract.ts";
import { commandArgs } from "./command-args.ts";

/**
 * Checks a launch at its use by the same rules as the edge: what was checked when a config was
 * accepted may not be what is run (CVE-2026-44284).
 * @throws GatewayError LAUNCH_NOT_ALLOWED, with the rule in `details.reason`.
 */
export function checkLaunch(launch: Launch): void {
  checkSpec(launch);
  const optIn = launch.env_opt_in ?? [];
  for (const name of [...Object.keys(launch.env), ...Object.keys(launch.secret_env)]) {
    const checked = checkEnvName(name, { optIn });
    if (!checked.ok) throw launchNotAllowed(checked);
  }
}

/** The launch, written as its command would take it, must be read back as what it says it is. */
function checkSpec(launch: Launch): void {
  const parsed = parseLaunch(launch.runner, commandArgs(launch));
  if (!parsed.ok) throw launchNotAllowed(parsed);
  const { value } = parsed;
  const extras = value.runner === "uvx" ? value.extras : [];
  if (
    value.package === launch.package &&
    value.version === launch.version &&
    value.bin === launch.bin &&
    extras.join() === (launch.extras ?? []).join()
  )
    return;
  throw launchNotAllowed({
    reason: "spec-name-invalid",
    message: "The launch's package, version and program do not fit together.",
    hint: "Send each as the launch grammar reads it.",
  });
}

/** A refusal of the policy as an error. */
export function launchNotAllowed(
  refusal: Pick<Refusal, "reason" | "message" | "hint">,
): GatewayError {
  const { reason, message, hint } = refusal;
  return new GatewayError("LAUNCH_NOT_ALLOWED", message, { hint, details: { reason } });
}
