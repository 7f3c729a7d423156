import { findApproval } from "../../policy/approved-launches.ts";
import { parseLaunch } from "../../policy/launch.ts";
import { grantedToUrl } from "../../policy/secret-grants.ts";
import { checkSubmittedLaunch, checkSubmittedUrl } from "../../policy/submitted.ts";
import type { Reference } from "../references.ts";
import type { ServerConfig } from "../server-config.ts";
import type { TenantPolicy } from "../tenant-policy.ts";
import type { Place } from "../tree/node.ts";
import type { ServerDraft } from "./draft.ts";
import type { FinishedServer } from "./finish-server.ts";

/** The part of a tenant's policy that a submitted config is held to. */
export type SubmittedPolicy = Pick<TenantPolicy, "submitted" | "secrets" | "docker">;

interface Judged {
  readonly config: ServerConfig;
  readonly draft: ServerDraft;
  /** References whose values the request is not said to give. */
  readonly stored: readonly Reference[];
  readonly policy: SubmittedPolicy;
}

/**
 * Tells what a tenant's policy would refuse if the server came in a request: the same deciders as
 * at use. A server that is unusable by itself is judged no further.
 */
export function checkPolicy(server: FinishedServer, policy: SubmittedPolicy): void {
  const { config, draft, disabled } = server;
  if (config === null || disabled || draft.diagnostics.blocked) return;
  const stored = server.references.filter(({ name }) => !config.inputs.includes(name));
  const judged = { config, draft, stored, policy };
  if (config.transport === "stdio") judgeLaunch(judged);
  else judgeUrl(judged);
}

function judgeLaunch({ config, draft, stored, policy }: Judged): void {
  const { submitted, secrets, docker } = policy;
  const launch = parseLaunch(config.command ?? "npx", config.args, docker);
  if (!launch.ok) return;
  const place = placeOf(draft, "args", "command");
  const approved = findApproval(config, secrets?.approvals ?? [], docker) !== undefined;
  const allowed = checkSubmittedLaunch(launch.value, { ...submitted, approved });
  if (!allowed.ok) draft.diagnostics.report("GW218", place, allowed.message, allowed.hint);
  if (secrets === null || approved || stored.length === 0) return;
  draft.diagnostics.report(
    "GW219",
    place,
    `The launch is not approved and refers to ${listed(stored)}.`,
  );
}

function judgeUrl({ config, draft, stored, policy }: Judged): void {
  const { submitted, secrets } = policy;
  const { url: text = "" } = config;
  if (!URL.canParse(text)) return;
  const url = new URL(text);
  const allowed = checkSubmittedUrl(url, submitted);
  const place = placeOf(draft, "url");
  if (!allowed.ok) draft.diagnostics.report("GW311", place, allowed.message, allowed.hint);
  if (secrets === null) return;
  const granted = grantedToUrl(url, stored, secrets);
  const refused = Map.groupBy(
    stored.filter(({ name }) => !granted.has(name)),
    (reference) => reference.place,
  );
  for (const [field, references] of refused) {
    draft.diagnostics.report(
      "GW418",
      placeOf(draft, field),
      `The server would send ${listed(references)} to ${url.origin}${url.pathname}, where the tenant's policy does not let it go.`,
    );
  }
}

/** The value of the first of these fields that is written. */
function placeOf(draft: ServerDraft, ...fields: readonly string[]): Place {
  const written = fields.map((field) => draft.fields.get(field)?.value);
  return written.find((value) => value !== undefined) ?? draft.place;
}

const mostListed = 5;

function listed(references: readonly Reference[]): string {
  const names = [...new Set(references.map(({ name }) => name))];
  const shown = names.slice(0, mostListed).map((name) => `\${${name.slice(0, 60)}}`);
  const more = names.length > mostListed ? ` and ${names.length - mostListed} more` : "";
  return `${shown.join(", ")}${more}`;
}
