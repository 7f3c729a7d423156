import { assignDiagnostics } from "./assign-diagnostics.ts";
import { checkDuplicates } from "./check-duplicates.ts";
import { chooseDialect } from "./choose-dialect.ts";
import { toReading, type ConfigReading, type Found } from "./config-reading.ts";
import { checkText, decodeBytes } from "./decode-text.ts";
import { Diagnostics, type Severities } from "./diagnostics.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { otherToolNames } from "./dialects/native.ts";
import { fileLimits, type ConfigLimits } from "./limits.ts";
import { parseText, syntaxOf } from "./parse-text.ts";
import { defaultCheckOptions, type CheckOptions } from "./server/check-options.ts";
import { checkPolicy } from "./server/check-policy.ts";
import { finishServer } from "./server/finish-server.ts";
import { readSuppressions } from "./suppressions.ts";
import { LineIndex } from "./tree/line-index.ts";
import type { TreeNode } from "./tree/node.ts";
import { brokenTree, type Syntax, type SyntaxTree } from "./tree/syntax-tree.ts";
import { parseValue } from "./tree/value-tree.ts";

export type { ConfigReading } from "./config-reading.ts";

/** A config as it came: text of any dialect, bytes of a file, or an object. */
export type ConfigSource =
  | { readonly text: string; readonly path?: string; readonly dialect?: string }
  | { readonly bytes: Uint8Array; readonly path?: string; readonly dialect?: string }
  | { readonly value: unknown; readonly dialect?: string };

export interface ReadOptions extends Partial<CheckOptions> {
  readonly limits?: ConfigLimits;
  /** Whether `gangway-ignore` comments count; default true. */
  readonly inlineIgnores?: boolean;
  /** Severities that differ from the rule table's; they never make a broken server usable. */
  readonly severities?: Severities;
}

/**
 * Reads a config and tells everything that is wrong with it, each finding with its place. Pure: nothing
 * is contacted and no secret is looked up. Any input is answered; nothing is thrown. An error in
 * one server makes that server unusable and no other.
 */
export function readConfig(source: ConfigSource, options: ReadOptions = {}): ConfigReading {
  const diagnostics = new Diagnostics();
  const limits = options.limits ?? fileLimits;
  const { text, tree, syntax } = parse(source, limits, diagnostics);
  const dialect = chooseDialect(tree, { ...source, syntax }, diagnostics);
  const checks = { ...defaultCheckOptions, maxArgs: limits.maxArgs, ...options, limits };
  const found = readServers(dialect, tree.root, checks, diagnostics);
  const lines = text === null ? null : new LineIndex(text);
  const silenced =
    text === null || lines === null || options.inlineIgnores === false
      ? () => false
      : readSuppressions(tree.comments, { text, lines, diagnostics });
  return toReading({
    dialect,
    diagnostics,
    ...found,
    lines,
    silenced,
    severities: options.severities ?? {},
  });
}

interface Parsed {
  readonly text: string | null;
  readonly syntax: Syntax | null;
  readonly tree: SyntaxTree;
}

function parse(source: ConfigSource, limits: ConfigLimits, diagnostics: Diagnostics): Parsed {
  if ("value" in source)
    return { text: null, syntax: null, tree: parseValue(source.value, limits, diagnostics) };
  const text = "text" in source ? source.text : decodeBytes(source.bytes, diagnostics);
  if (text === null || !checkText(text, limits, diagnostics))
    return { text, syntax: null, tree: brokenTree };
  const syntax = syntaxOf(text, source.path);
  return { text, syntax, tree: parseText(text, syntax, limits, diagnostics) };
}

function readServers(
  dialect: Dialect | undefined,
  root: TreeNode | null,
  options: CheckOptions & { limits: ConfigLimits },
  diagnostics: Diagnostics,
): Found {
  if (root === null || dialect === undefined)
    return { all: [], servers: [], elsewhere: new Diagnostics() };
  const drafts = dialect.read(root, diagnostics);
  const elsewhere = assignDiagnostics(diagnostics, drafts);
  const { maxServers } = options.limits;
  if (drafts.length > maxServers) {
    diagnostics.report("GW105", root, `The document has more than ${maxServers} servers.`);
    return { all: [], servers: [], elsewhere };
  }
  if (drafts.length === 0 && !diagnostics.blocked) {
    diagnostics.report("GW111", root, "There are no MCP servers in the document.");
  }
  const all = drafts.map((draft) => finishServer(draft, options));
  const { policy } = options;
  if (policy !== null) for (const server of all) checkPolicy(server, policy);
  return {
    all,
    servers: checkDuplicates(all, dialect.id === "native" ? otherToolNames(root) : []),
    elsewhere,
  };
}
