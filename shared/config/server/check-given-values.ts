import type { ParsedLaunch } from "../../policy/launch.ts";
import { isPlaceholder } from "../secrets/placeholder.ts";
import { text, type ListNode, type TreeNode } from "../tree/node.ts";
import type { CheckOptions } from "./check-options.ts";
import type { ServerDraft } from "./draft.ts";

/** What an accepted launch hands to its server. */
export interface Given {
  readonly launch: ParsedLaunch;
  readonly args: ListNode;
  readonly options: CheckOptions;
}

/** Looks in the server's own arguments and its environment for what exists on the author's machine alone. */
export function checkGivenValues(draft: ServerDraft, { launch, args, options }: Given): void {
  const env = draft.fields.get("env")?.value;
  const own: readonly TreeNode[] = [
    ...args.items.slice(args.items.length - launch.args.length),
    ...(env?.kind === "map" ? env.entries.map(({ value }) => value) : []),
  ];
  for (const node of own) {
    const value = text(node);
    if (value === undefined || isPlaceholder(value)) continue;
    if (isMachinePath(value, launch))
      draft.diagnostics.report("GW216", node, "The value is a path of one person's machine.");
    // In development the server runs where its author does.
    if (options.mode !== "development" && loopbackUrl.test(value))
      draft.diagnostics.report("GW310", node, "The value names an address of this machine.");
  }
}

/** At the start of a value, or behind `--option=`: a home folder, a mounted volume, a drive. */
const home = /^(?:-{0,2}[A-Za-z][\w-]*=)?(?:\/home\/[^/]|~[\\/])/;
const foreign =
  /^(?:-{0,2}[A-Za-z][\w-]*=)?(?:\/Users\/[^/]|\/Volumes\/[^/]|[A-Za-z]:(?:\\|\/(?!\/)))/;

/** The path of a container may well begin with `/home`. */
function isMachinePath(value: string, { runner }: ParsedLaunch): boolean {
  return foreign.test(value) || (runner !== "docker" && home.test(value));
}

const loopbackUrl =
  /^(?:-{0,2}[A-Za-z][\w-]*=)?[a-z][a-z0-9+.-]{1,30}:\/\/(?:[^\s/?#@]{0,256}@)?(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0|host\.docker\.internal)(?=[:/?#]|$)/i;
