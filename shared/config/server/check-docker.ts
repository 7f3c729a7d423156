import { checkBareEnvNames, type DockerLaunch } from "../../policy/docker.ts";
import { keyPlace, type ListNode, type MapEntry, type Place } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import type { ServerDraft } from "./draft.ts";

/** Checks the options of `docker run`, and that the environment of the config and theirs are one. */
export function checkDocker(draft: ServerDraft, launch: DockerLaunch, args: ListNode): void {
  const { diagnostics } = draft;
  const run = argPlace(draft, args, 0);
  if (!launch.interactive)
    diagnostics.report("GW206", run, "docker run has no -i: the server would read no input.");
  if (!launch.remove)
    diagnostics.report("GW207", run, "docker run has no --rm: every stopped container stays.");
  checkForwarded(draft, launch);
  if (draft.fields.has("env_file")) return;
  const names = envEntries(draft).map(({ key }) => [key, ""] as const);
  const declared = checkBareEnvNames(launch, Object.fromEntries(names));
  if (!declared.ok) diagnostics.report("GW211", run, declared.message, declared.hint);
}

/** The other way round: what `env` sets and no `-e` names stays outside the container. */
function checkForwarded(draft: ServerDraft, { envNames, envValues }: DockerLaunch): void {
  for (const entry of envEntries(draft)) {
    const { key } = entry;
    if (envNames.includes(key) || Object.hasOwn(envValues, key) || key === "MCP_CONFIG") continue;
    draft.diagnostics.report(
      "GW217",
      keyPlace(entry),
      `No -e of docker run names ${shorten(key)}: the container does not get it.`,
    );
  }
}

function envEntries(draft: ServerDraft): readonly MapEntry[] {
  const env = draft.fields.get("env")?.value;
  return env?.kind === "map" ? env.entries : [];
}

/** Where to point at an argument; at the whole list, or the command, where there is none. */
export function argPlace(draft: ServerDraft, args: ListNode, index: number | undefined): Place {
  const item = index === undefined ? undefined : args.items[index];
  return (
    item ?? (args.items.length > 0 ? args : (draft.fields.get("command")?.value ?? draft.place))
  );
}
