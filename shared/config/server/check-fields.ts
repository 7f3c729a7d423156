import type * as z from "zod";
import { commands, serverConfigSchema, type ServerConfig } from "../server-config.ts";
import { plain, text, type TreeNode } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import { describe } from "./describe.ts";
import type { ServerDraft } from "./draft.ts";
import { rewriteCommand } from "./rewrite-command.ts";
import { explainIssue, follow, type Explained, type IssueAt } from "./explain-issue.ts";
import { legalName } from "./legal-name.ts";

/**
 * Checks each field's own type and range against the schema. Null when something is wrong; then
 * the draft's diagnostics tell what, each at its place.
 */
export function checkFields(draft: ServerDraft): ServerConfig | null {
  const result = serverConfigSchema.safeParse(plainFields(draft));
  if (result.success) return result.data;
  for (const issue of result.error.issues) reportIssue(draft, issue);
  return null;
}

/** An empty field (`env:` with nothing after it) counts as not written. */
export function isEmpty(node: TreeNode): boolean {
  return node.kind === "scalar" && node.value === null;
}

function plainFields(draft: ServerDraft): Record<string, unknown> {
  const fields = [...draft.fields].filter(([, field]) => !isEmpty(field.value));
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field.value)]));
}

function reportIssue(draft: ServerDraft, issue: z.core.$ZodIssue): void {
  const [name, ...path] = issue.path.map(String);
  if (name === undefined) return;
  const field = draft.fields.get(name);
  if (field === undefined || isEmpty(field.value)) {
    draft.diagnostics.report("GW121", draft.place, `'${name}' is required`);
    return;
  }
  const { node, place } = follow(field.value, path);
  const shown = [field.key, ...path.map((part) => shorten(part))].join(".");
  const { rule, message, hint } = explain({ name, shown, node, issue, draft, form: formOf(name) });
  draft.diagnostics.report(rule, place, message, hint);
}

function formOf(name: string): string | undefined {
  return Object.entries(serverConfigSchema.shape).find(([field]) => field === name)?.[1]
    .description;
}

interface Trouble extends IssueAt {
  /** The native name of the field. */
  readonly name: string;
  readonly draft: ServerDraft;
}

function explain(trouble: Trouble): Explained {
  const own = ownTexts[trouble.name]?.(trouble);
  return own ?? explainIssue(trouble);
}

/** Fields whose message is a contract, or says more than the kind of the trouble does. */
const ownTexts: Readonly<Partial<Record<string, (trouble: Trouble) => Explained | null>>> = {
  server: () => ({ rule: "GW120", message: "'server' must be a non-empty identifier" }),
  command: explainCommand,
  name: ({ node, issue }) =>
    issue.code === "invalid_format" ? explainName(text(node) ?? "") : null,
  request_timeout: ({ issue, node }) =>
    issue.code === "too_small"
      ? { rule: "GW124", message: `request_timeout must be positive, got ${describe(node)}` }
      : null,
};

function explainCommand({ node, draft }: Trouble): Explained {
  const written = text(node);
  if (written === undefined) {
    return {
      rule: "GW120",
      message: `'command' must be one of ${commands.join(", ")} as text, got ${describe(node)}`,
    };
  }
  const message = `Invalid command '${shorten(written)}'. Supported commands: ${commands.join(", ")}`;
  return { rule: "GW201", message, hint: rewriteHint(written, draft.fields.get("args")?.value) };
}

function rewriteHint(command: string, args: TreeNode | undefined): string | undefined {
  const words = args?.kind === "list" ? args.items.map((item) => text(item) ?? "") : [];
  const rewrite = rewriteCommand(command, words);
  if (rewrite === null) return undefined;
  const begin =
    rewrite.head.length === 0
      ? ""
      : `, and args that begin with ${shorten(JSON.stringify(rewrite.head), 120)}`;
  const rest = rewrite.consumed === 0 ? "" : ` in place of the first ${rewrite.consumed}`;
  return `Write \`command: ${rewrite.command}\`${begin}${rest}.`;
}

function explainName(name: string): Explained {
  if (name === "") return { rule: "GW122", message: "'name' must not be empty" };
  const legal = legalName(name);
  const hint = legal === "" ? undefined : `Write '${legal}'.`;
  return {
    rule: "GW122",
    message: `The name '${shorten(name)}' has characters that are not allowed`,
    hint,
  };
}
