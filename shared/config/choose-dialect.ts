import type { Diagnostics } from "./diagnostics.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { dialectById, dialectByPath, dialectByShape, dialects } from "./dialects/table.ts";
import { suggest } from "./server/suggest.ts";
import { child, type TreeNode } from "./tree/node.ts";
import { shorten, type Syntax, type SyntaxTree } from "./tree/syntax-tree.ts";

interface Hints {
  readonly path?: string;
  /** Forced by the caller. */
  readonly dialect?: string;
  readonly syntax: Syntax | null;
}

const dialectIds = dialects.map(({ id }) => id);

function question(id: string): string {
  const meant = suggest(id, dialectIds);
  return meant === null ? "" : ` Did you mean '${meant}'?`;
}

/**
 * The dialect of a document: forced, else by file name, else by shape. Where a file's name and shape
 * disagree the shape is read, with a finding: the client of that name would not see the servers.
 */
export function chooseDialect(
  tree: SyntaxTree,
  hints: Hints,
  diagnostics: Diagnostics,
): Dialect | undefined {
  const { root } = tree;
  const named = hints.dialect === undefined ? byPath(hints.path) : dialectById(hints.dialect);
  if (hints.dialect !== undefined && named === undefined) {
    diagnostics.report(
      "GW110",
      root ?? { pointer: "", span: null },
      `The dialect '${shorten(hints.dialect)}' is not known.${question(hints.dialect)}`,
      `Use one of: ${dialectIds.join(", ")}; or leave it out, and it is told by name and shape.`,
    );
    return undefined;
  }
  if (root === null) return named;
  const dialect =
    hints.dialect === undefined ? byShape(root, named, { hints, diagnostics }) : named;
  if (dialect !== undefined) checkExtensions(dialect, tree, diagnostics);
  return dialect;
}

function byPath(path: string | undefined): Dialect | undefined {
  return path === undefined ? undefined : dialectByPath(path);
}

function byShape(
  root: TreeNode,
  named: Dialect | undefined,
  { hints, diagnostics }: { hints: Hints; diagnostics: Diagnostics },
): Dialect | undefined {
  if (named?.hasSection(root)) return named;
  const shaped = dialectByShape(root, hints.syntax);
  if (named === undefined) return shaped ?? unrecognised(root, diagnostics);
  if (shaped === undefined) return named;
  const message = `${named.title} does not look for servers where they are; the file was read as: ${shaped.title}.`;
  if (shaped.id !== "bare-map" || named.id !== "claude-code")
    diagnostics.report("GW116", root, message);
  return shaped;
}

/** Read as native, whose messages tell what is missing; a list of tools without any type is nobody's. */
function unrecognised(root: TreeNode, diagnostics: Diagnostics): Dialect | undefined {
  const tools = child(root, "tools");
  if (tools?.kind === "list" && child(root, "mcp_servers") === undefined)
    diagnostics.report("GW110", tools, "No entry of `tools` has a type, and none is a server.");
  return dialectById("native");
}

function checkExtensions(
  { json, title }: Dialect,
  { extensions }: SyntaxTree,
  diagnostics: Diagnostics,
): void {
  const { comment, trailingComma } = extensions;
  if (comment !== null && json === "strict") {
    diagnostics.report("GW109", { pointer: "", span: comment }, `${title} does not read comments.`);
  }
  if (trailingComma !== null && json !== "commas") {
    diagnostics.report(
      "GW109",
      { pointer: "", span: trailingComma },
      `${title} does not read trailing commas.`,
    );
  }
}
