import type { Reference } from "../config/references.ts";
import { liesIn, type Destination } from "./destinations.ts";
import { findApproval, type ApprovedLaunch, type LaunchFields } from "./approved-launches.ts";
import type { DockerLaunchRules } from "./docker.ts";

/** One destination of one secret. */
export interface SecretGrant extends Destination {
  /** The secret may stand in the URL's query there. */
  readonly allowQuery: boolean;
}

/** Where an operator lets stored secrets go when a submitted config refers to them. */
export interface SecretRules {
  readonly sendTo: ReadonlyMap<string, readonly SecretGrant[]>;
  readonly approvals: readonly ApprovedLaunch[];
}

/**
 * Names of stored secrets that a submitted remote server may have at this URL. A name that stands
 * in the URL's query anywhere needs a destination that allows that.
 */
export function grantedToUrl(
  url: URL,
  references: readonly Reference[],
  { sendTo }: Pick<SecretRules, "sendTo">,
): ReadonlySet<string> {
  const inQuery = new Set(references.flatMap(({ name, place }) => (place === "url" ? [name] : [])));
  const isGranted = (name: string): boolean =>
    (sendTo.get(name) ?? []).some(
      (grant) => liesIn(url, grant) && (grant.allowQuery || !inQuery.has(name)),
    );
  return new Set(references.map(({ name }) => name).filter(isGranted));
}

/**
 * Names of stored secrets that a submitted stdio server may have: all of them where its launch is
 * approved and the request fills no reference that the approval does not list, else none.
 */
export function grantedToLaunch(
  server: LaunchFields,
  references: readonly Reference[],
  given: ReadonlySet<string>,
  rules: Pick<SecretRules, "approvals"> & { readonly docker?: DockerLaunchRules },
): ReadonlySet<string> {
  const approval = findApproval(server, rules.approvals, rules.docker);
  if (approval === undefined) return new Set();
  const isSteered = [...given].some((name) => !approval.inputs.includes(name));
  return new Set(isSteered ? [] : references.map(({ name }) => name));
}
