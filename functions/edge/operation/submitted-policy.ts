import { referencedNames } from "../../../shared/config/references.ts";
import { GatewayError } from "../../../shared/errors/gateway-error.ts";
import { argsHint, findApproval } from "../../../shared/policy/approved-launches.ts";
import type { Refusal } from "../../../shared/policy/check.ts";
import { type ParsedLaunch, parseLaunch } from "../../../shared/policy/launch.ts";
import { checkSubmittedLaunch, checkSubmittedUrl } from "../../../shared/policy/submitted.ts";
import type { OperationContext } from "./operation-context.ts";
import type { UsableServer } from "./select.ts";

/**
 * Whether the tenant's policy allows a submitted server as it is written, before any secret is
 * read. What cannot be judged yet is left to the guard, which asks again at use.
 * @throws GatewayError SERVER_NOT_ALLOWED
 */
export function requireSubmittedAllowed(server: UsableServer, context: OperationContext): void {
  const { transport, url = "", command = "npx", args } = server.config;
  if (transport !== "stdio") {
    if (URL.canParse(url)) requireUrlAllowed(new URL(url), server, context);
    return;
  }
  const index = args.findIndex((arg) => referencedNames(arg).length > 0);
  if (index !== -1) throw argsHoldReference(server, index);
  const launch = parseLaunch(command, args, policyOf(context).docker);
  if (launch.ok) requireLaunchAllowed(launch.value, server, context);
}

/** The same of a final URL. @throws GatewayError SERVER_NOT_ALLOWED */
export function requireUrlAllowed(url: URL, server: UsableServer, context: OperationContext): void {
  if (server.source !== "submitted") return;
  const checked = checkSubmittedUrl(url, policyOf(context).submitted);
  if (!checked.ok) throw notAllowed(checked, server);
}

/** The same of the launch that is started. @throws GatewayError SERVER_NOT_ALLOWED */
export function requireLaunchAllowed(
  launch: ParsedLaunch,
  server: UsableServer,
  context: OperationContext,
): void {
  if (server.source !== "submitted") return;
  const { submitted, secrets, docker } = policyOf(context);
  const approved = findApproval(server.config, secrets?.approvals ?? [], docker) !== undefined;
  const checked = checkSubmittedLaunch(launch, { ...submitted, approved });
  if (!checked.ok) throw notAllowed(checked, server);
}

function policyOf({ caller, deps }: OperationContext) {
  return deps.settings.policyOf(caller.tenant);
}

function notAllowed({ message, hint, reason }: Refusal, server: UsableServer): GatewayError {
  const text = `Server '${server.name}' of the submitted config is not allowed. ${message}`;
  return new GatewayError("SERVER_NOT_ALLOWED", text, {
    server: server.name,
    hint,
    details: { reason },
  });
}

function argsHoldReference(server: UsableServer, argument: number): GatewayError {
  return new GatewayError(
    "LAUNCH_NOT_ALLOWED",
    `Server '${server.name}' of the submitted config has a reference in its args.`,
    {
      server: server.name,
      hint: argsHint,
      details: { reason: "args-hold-reference", argument },
    },
  );
}
