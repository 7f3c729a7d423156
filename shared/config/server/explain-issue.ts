import type * as z from "zod";
import type { RuleId } from "../rules.ts";
import { child, plain, type Place, type TreeNode } from "../tree/node.ts";
import { describe } from "./describe.ts";

interface Followed {
  readonly node: TreeNode;
  /** Where to point: the node, or its key where the node has no place of its own. */
  readonly place: Place;
  /** The path leads past what was written. */
  readonly missing: boolean;
}

/** The node that an issue's path leads to, as far as it leads. */
export function follow(start: TreeNode, path: readonly string[]): Followed {
  let node = start;
  for (const part of path) {
    const next = node.kind === "list" ? node.items[Number(part)] : child(node, part);
    if (next === undefined) return { node, place: node, missing: true };
    node = next;
  }
  return { node, place: node, missing: false };
}

export interface Explained {
  readonly rule: RuleId;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A schema issue and the node that it is about. */
export interface IssueAt {
  /** The path as the author wrote it. */
  readonly shown: string;
  readonly node: TreeNode;
  readonly issue: z.core.$ZodIssue;
  /** What the field is for and how it is written. */
  readonly form: string | undefined;
}

const typeNames: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  record: "a map",
  object: "a map",
};

/** What a schema issue means, in the words of the config. */
export function explainIssue({ shown, node, issue, form }: IssueAt): Explained {
  switch (issue.code) {
    case "invalid_type": {
      const expected = typeNames[issue.expected] ?? issue.expected;
      const quotable = expected === "text" && node.kind === "scalar";
      const hint = quotable ? "Put the value in quotes." : undefined;
      return {
        rule: "GW120",
        message: `'${shown}' must be ${expected}, got ${describe(node)}`,
        hint,
      };
    }
    case "invalid_value":
      return {
        rule: "GW125",
        message: `'${shown}' must be one of ${issue.values.map(String).join(", ")}, got ${describe(node, true)}`,
      };
    case "too_small":
    case "too_big":
      if (typeof plain(node) === "string")
        return { rule: "GW120", message: `'${shown}' must not be empty` };
      return {
        rule: "GW124",
        message: `'${shown}' must be ${limitText(issue)}, got ${describe(node)}`,
      };
    case "invalid_format":
    case "invalid_union":
      return {
        rule: "GW141",
        message: `'${shown}' does not have the form that is asked for`,
        hint: form,
      };
    default:
      return { rule: "GW120", message: `'${shown}' is not valid: ${issue.message}` };
  }
}

function limitText(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  if (issue.code === "too_big") return `at most ${String(issue.maximum)}`;
  return issue.minimum === 0 ? "positive" : `at least ${String(issue.minimum)}`;
}
