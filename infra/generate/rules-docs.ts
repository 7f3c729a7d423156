import { catalogue } from "../../shared/errors/catalogue.ts";
import { errorDocs } from "../../shared/errors/error-body.ts";
import { ruleDocs, ruleOf, type RuleId, rules } from "../../shared/config/rules.ts";

const ids = Object.keys(rules).toSorted() as RuleId[];
const marker =
  "<!-- Generated from shared/config/rules by `node infra/generate/main.ts`; do not edit. -->";

/** Rule ids by their first digit. */
const families: Readonly<Record<string, string>> = {
  1: "Syntax and shape",
  2: "Launch",
  3: "Network",
  4: "Secrets",
  5: "Duplicates and levels",
  6: "Style",
};

/** One page a rule, at the path that findings name. */
export const rulePages = ids.map((id) => ({ path: ruleDocs(id), render: () => rulePage(id) }));

/** `docs/reference/rules.md`: every rule of the validator in one table. */
export function rulesDoc(): string {
  const sections = Object.entries(families).map(([digit, title]) => familySection(digit, title));
  return [
    "# Validator rules",
    marker,
    "A finding names one of these rules. A config is valid when it has no finding of severity error. A *blocking* finding makes its server unusable whatever severity the settings give it; any other rule can be silenced at its place by a comment, `gangway-ignore GW204: reason`.",
    ...sections,
    "",
  ].join("\n\n");
}

function familySection(digit: string, title: string): string {
  const rows = ids
    .filter((id) => id.startsWith(`GW${digit}`))
    .map((id) => {
      const { severity, summary, blocks } = ruleOf(id);
      return `| [${id}](rules/${id}.md) | ${severity} | ${blocks ? "yes" : "no"} | ${summary} |`;
    });
  const head = ["| Rule | Severity | Blocking | What is wrong |", "| --- | --- | --- | --- |"];
  return [`## ${title}`, [...head, ...rows].join("\n")].join("\n\n");
}

function rulePage(id: RuleId): string {
  const { severity, summary, hint, note, suppressible, blocks, code } = ruleOf(id);
  return [
    `# ${id}`,
    marker,
    summary,
    `**What to do:** ${hint}`,
    ...(note === undefined ? [] : [note]),
    [
      `- Severity: ${severity}`,
      `- Blocking: ${blocks ? "yes, the server cannot be used until it is mended" : "no"}`,
      `- Inline ignore: ${suppressible ? `\`gangway-ignore ${id}: reason\`` : "not possible"}`,
      ...(blocks ? [errorLine(code ?? "CONFIG_INVALID")] : []),
    ].join("\n"),
    "All rules: [Validator rules](../rules.md).\n",
  ].join("\n\n");
}

function errorLine(code: keyof typeof catalogue): string {
  return `- A call of the server answers [\`${code}\`](../${errorDocs(code).replace("docs/reference/", "")})`;
}
