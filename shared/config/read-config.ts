import { assignDiagnostics } from "./assign-diagnostics.ts";
import { checkDuplicates } from "./check-duplicates.ts";
import { checkText, decodeBytes } from "./decode-text.ts";
import { Diagnostics, toFindings, type Diagnostic, type Severities } from "./diagnostics.ts";
import type { Dialect } from "./dialects/dialect.ts";
import { otherToolNames } from "./dialects/native.ts";
import { chooseDialect } from "./choose-dialect.ts";
import type { Finding } from "./finding.ts";
import { fileLimits, type ConfigLimits } from "./limits.ts";
import { parseText, syntaxOf } from "./parse-text.ts";
import type { Reference } from "./references.ts";
import { readSuppressions, type Silenced } from "./suppressions.ts";
import type { ServerConfig } from "./server-config.ts";
import { defaultCheckOptions, type CheckOptions } from "./server/check-options.ts";
import { finishServer, type FinishedServer } from "./server/finish-server.ts";
import { LineIndex } from "./tree/line-index.ts";
import type { TreeNode } from "./tree/node.ts";
import { brokenTree, type Syntax, type SyntaxTree } from "./tree/syntax-tree.ts";
import { parseValue } from "./tree/value-tree.ts";

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

/** One server of a config, whatever dialect it was written in. */
export interface ServerReading {
  readonly name: string;
  /** JSON Pointer of the entry. */
  readonly pointer: string;
  /** Every default filled in, references unexpanded; null when a finding makes the server unusable. */
  readonly config: ServerConfig | null;
  readonly disabled: boolean;
  readonly findings: readonly Finding[];
  readonly references: readonly Reference[];
}

export interface ConfigReading {
  readonly dialect: string;
  /** False when no server can be trusted: the syntax is broken, or no servers were recognised. */
  readonly documentOk: boolean;
  /** All findings, in the order of the text. */
  readonly findings: readonly Finding[];
  /** Findings that an inline ignore silenced. */
  readonly suppressed: readonly Finding[];
  readonly servers: readonly ServerReading[];
  readonly references: readonly (Reference & { readonly server: string })[];
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
  return report({ dialect, diagnostics, ...found, lines, silenced, severities: options.severities ?? {} });
}

interface Parsed {
  readonly text: string | null;
  readonly syntax: Syntax | null;
  readonly tree: SyntaxTree;
}

function parse(source: ConfigSource, limits: ConfigLimits, diagnostics: Diagnostics): Parsed {
  if ("value" in source) return { text: null, syntax: null, tree: parseValue(source.value, limits, diagnostics) };
  const text = "text" in source ? source.text : decodeBytes(source.bytes, diagnostics);
  if (text === null || !checkText(text, limits, diagnostics)) return { text, syntax: null, tree: brokenTree };
  const syntax = syntaxOf(text, source.path);
  return { text, syntax, tree: parseText(text, syntax, limits, diagnostics) };
}

interface Found {
  /** Every server of the document. */
  readonly all: readonly FinishedServer[];
  /** Those that can be addressed: a shadowed one cannot. */
  readonly servers: readonly FinishedServer[];
  /** Findings outside the servers that make nothing unusable. */
  readonly elsewhere: Diagnostics;
}

function readServers(
  dialect: Dialect | undefined,
  root: TreeNode | null,
  options: CheckOptions & { limits: ConfigLimits },
  diagnostics: Diagnostics,
): Found {
  if (root === null || dialect === undefined) return { all: [], servers: [], elsewhere: new Diagnostics() };
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
  return { all, servers: checkDuplicates(all, dialect.id === "native" ? otherToolNames(root) : []), elsewhere };
}

interface Outcome extends Found {
  readonly dialect: Dialect | undefined;
  readonly diagnostics: Diagnostics;
  readonly lines: LineIndex | null;
  readonly silenced: Silenced;
  readonly severities: Severities;
}

function report(outcome: Outcome): ConfigReading {
  const { dialect, diagnostics, servers, lines, silenced, severities } = outcome;
  const shown = (list: readonly Diagnostic[]) =>
    toFindings(list.filter((diagnostic) => !silenced(diagnostic)), lines, severities);
  const inServers = outcome.all.flatMap((server) => server.draft.diagnostics.list);
  const all = [...diagnostics.list, ...outcome.elsewhere.list, ...inServers];
  return {
    dialect: dialect?.id ?? "unknown",
    documentOk: !diagnostics.blocked,
    findings: shown(all),
    suppressed: toFindings(all.filter(silenced), lines, severities),
    servers: servers.map((server) => ({
      name: server.name,
      pointer: server.draft.place.pointer,
      config: server.draft.diagnostics.blocked ? null : server.config,
      disabled: server.disabled,
      findings: shown(server.draft.diagnostics.list),
      references: server.references,
    })),
    references: servers.flatMap(({ name, references }) =>
      references.map((reference) => ({ ...reference, server: name })),
    ),
  };
}
