import type { z } from "zod";
import type { RuleId } from "../rules.ts";
import { child, entryOf, keyPlace, plain, type Place, type TreeNode } from "../tree/node.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { shorten } from "../tree/syntax-tree.ts";
import { describe } from "./describe.ts";
import { suggest } from "./suggest.ts";

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
export function explainIssue({ shown, node, issue }: IssueAt): Explained {
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
      return { rule: "GW141", message: `'${shown}' does not have the form that is asked for` };
    default:
      return { rule: "GW120", message: `'${shown}' is not valid: ${issue.message}` };
  }
}

function limitText(issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig): string {
  if (issue.code === "too_big") return `at most ${String(issue.maximum)}`;
  return issue.minimum === 0 ? "positive" : `at least ${String(issue.minimum)}`;
}

/** A legal name made of any text; empty when nothing legal is left. */
export function legalName(name: string): string {
  return name
    .replace(/[^0-9A-Za-z]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 64);
}

/** Keys that an object at a path of a schema may have. */
export type KnownKeys = (path: readonly string[]) => readonly string[];

/** Reports the issues of a schema that describes the whole of `root`. */
export function reportSchemaIssues(
  issues: readonly z.core.$ZodIssue[],
  root: TreeNode,
  { known, diagnostics }: { known: KnownKeys; diagnostics: Diagnostics },
): void {
  for (const issue of issues) {
    const path = issue.path.map(String);
    const { node, place, missing } = follow(root, path);
    const shown = path.map((part) => shorten(part)).join(".");
    if (issue.code === "unrecognized_keys")
      reportUnknownKeys(issue.keys, node, { known: known(path), diagnostics });
    else if (missing) diagnostics.report("GW121", place, `'${shown}' is required`);
    else {
      const { rule, message, hint } = explainIssue({ shown, node, issue });
      diagnostics.report(rule, place, message, hint);
    }
  }
}

function reportUnknownKeys(
  keys: readonly string[],
  node: TreeNode,
  { known, diagnostics }: { known: readonly string[]; diagnostics: Diagnostics },
): void {
  for (const key of keys) {
    const entry = entryOf(node, key);
    const meant = suggest(key, known);
    const question = meant === null ? "" : ` Did you mean '${meant}'?`;
    diagnostics.report(
      "GW113",
      entry === undefined ? node : keyPlace(entry),
      `Unknown field '${shorten(key)}'.${question}`,
    );
  }
}
