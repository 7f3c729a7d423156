import type { DockerLaunchRules } from "../../policy/docker.ts";
import { fileLimits } from "../limits.ts";
import type { CommandName } from "../server-config.ts";
import type { SubmittedPolicy } from "./check-policy.ts";

/** What a check knows of the place where the config will be used. */
export interface CheckOptions {
  /** Null: not known; loopback URLs are then a warning. */
  readonly mode: "production" | "development" | null;
  /** Submitted configs may do less than an operator's. Null: not known. */
  readonly source: "operator" | "submitted" | null;
  /** Commands that the deployment has a host for; null: not known. */
  readonly launchers: readonly CommandName[] | null;
  /** What the tenant's policy allows to launches beyond the defaults. */
  readonly launchRules: DockerLaunchRules;
  /** What the config would be held to if a request brought it; null: it is not judged by that. */
  readonly policy: SubmittedPolicy | null;
  /** Most arguments that one server may have. */
  readonly maxArgs: number;
}

export const defaultCheckOptions: CheckOptions = {
  mode: null,
  source: null,
  launchers: null,
  launchRules: {},
  policy: null,
  maxArgs: fileLimits.maxArgs,
};
