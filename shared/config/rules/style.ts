import { info, warning, type Rule } from "./rule.ts";

/** GW6xx: what reads better. */
export const styleRules = {
  GW601: warning(
    "The server has no description.",
    "Add a sentence that tells what the server is for.",
  ),
  GW602: info("A dotenv line is not used.", "Write `NAME=value`, one a line."),
} as const satisfies Record<string, Rule>;
