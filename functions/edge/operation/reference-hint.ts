import type { Settings } from "../settings.ts";
import { grantHint } from "./granted-names.ts";
import type { OperationContext } from "./operation-context.ts";
import type { UsableServer } from "./select.ts";

/**
 * How references without a value get one: what works for this server in this deployment. Tells
 * where a secret is to be stored, never which are.
 */
export function referenceHint(
  server: UsableServer,
  names: readonly string[],
  { caller, deps }: OperationContext,
): string {
  const { settings } = deps;
  if (server.source === "submitted") {
    if (settings.policyOf(caller.tenant).secrets !== null) return grantHint(server, names[0] ?? "");
    return `Send the value in \`inputs\`; or ${lower(storeHint(names, caller.tenant, settings))}`;
  }
  const namespace = server.source === "deployment" ? "deployment" : caller.tenant;
  return `${storeHint(names, namespace, settings)} ${inputsHint(server, names)}`;
}

function storeHint(names: readonly string[], namespace: string, settings: Settings): string {
  const { providers, aws } = settings.secretSettings;
  if (aws !== null) {
    const place = `${aws.prefix}${namespace}`;
    return aws.layout === "bundle"
      ? `Store ${quoted(names)} in the JSON object of the secret \`${place}/bundle\` of AWS Secrets Manager.`
      : `Store ${quoted(names.map((name) => `${place}/${name}`))} in AWS Secrets Manager.`;
  }
  const unseen = names.filter((name) => name.includes("__"));
  if (providers.includes("env") && unseen.length > 0) {
    return `Rename ${quoted(unseen)} in the config: names with \`__\` are never looked up in the environment.`;
  }
  return environmentHint(names, namespace, settings);
}

function environmentHint(names: readonly string[], namespace: string, settings: Settings): string {
  const variables = quoted(names.map((name) => `GW_SECRET_${name}`));
  if (settings.development) {
    return `Set ${variables} in the environment of \`npm start\` or in .gangway/secrets.env, and start again.`;
  }
  const own = `GW_SECRET_${namespace.toUpperCase().replaceAll("-", "_")}__NAME`;
  return `The operator must set ${variables} as a secret of the Worker (or \`${own}\`, for ${namespace} alone).`;
}

/** `inputs` of the request count only where the operator's entry lists the name. */
function inputsHint(server: UsableServer, names: readonly string[]): string {
  const listed = names.filter((name) => server.config.inputs.includes(name));
  if (listed.length > 0) return `Or send ${quoted(listed)} in \`inputs\`.`;
  return `A request's \`inputs\` are taken only for names that the entry's own \`inputs\` lists.`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function lower(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}
