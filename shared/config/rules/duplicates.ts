import { blocking, info, warning, type Rule } from "./rule.ts";

/** GW5xx: duplicates. */
export const duplicateRules = {
  GW501: blocking("Two entries have one name.", "Give each entry a name of its own."),
  GW502: blocking("One registry server is configured twice.", "Remove one of the two entries."),
  GW503: warning(
    "A server from the registry has the name of one written by hand.",
    "Rename one of the two: the one written by hand is used.",
  ),
  GW504: warning("Two registry servers have one short name.", "Give one of the two another name."),
  GW505: info("Two names became the same and one was numbered.", "Rename one of the two servers."),
  GW506: blocking(
    "Two tenants or two keys have one id.",
    "Give each an id of its own; key ids are unique in the whole file.",
  ),
} as const satisfies Record<string, Rule>;
