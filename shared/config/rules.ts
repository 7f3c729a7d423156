import { duplicateRules } from "./rules/duplicates.ts";
import { launchRules } from "./rules/launch.ts";
import { networkRules } from "./rules/network.ts";
import type { Rule } from "./rules/rule.ts";
import { secretRules } from "./rules/secrets.ts";
import { shapeRules } from "./rules/shape.ts";
import { styleRules } from "./rules/style.ts";

/** The one table of the validator's rules; documentation and SARIF rule lists derive from it. */
export const rules = {
  ...shapeRules,
  ...launchRules,
  ...networkRules,
  ...secretRules,
  ...duplicateRules,
  ...styleRules,
} as const satisfies Record<string, Rule>;

export type RuleId = keyof typeof rules;

export function ruleOf(id: RuleId): Rule {
  return rules[id];
}

export function isRuleId(id: string): id is RuleId {
  return Object.hasOwn(rules, id);
}

/** Where a rule's documentation stands, from the repository's root. */
export function ruleDocs(id: RuleId): string {
  return `docs/reference/rules/${id}.md`;
}
