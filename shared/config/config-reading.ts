import { type Diagnostic, Diagnostics, type Severities, toFindings } from "./diagnostics.ts";
import type { Dialect } from "./dialects/dialect.ts";
import type { Finding } from "./finding.ts";
import type { Reference } from "./references.ts";
import type { ServerConfig } from "./server-config.ts";
import type { FinishedServer } from "./server/finish-server.ts";
import type { Silenced } from "./suppressions.ts";
import type { LineIndex } from "./tree/line-index.ts";

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
  /** References of all servers, up to a bound; GW119 tells how many are left out. */
  readonly references: readonly ListedReference[];
}

type ListedReference = Reference & { readonly server: string };

/** Servers after all checks. */
export interface Found {
  /** Every server of the document. */
  readonly all: readonly FinishedServer[];
  /** Those that can be addressed: a shadowed one cannot. */
  readonly servers: readonly FinishedServer[];
  /** Findings outside the servers that make nothing unusable. */
  readonly elsewhere: Diagnostics;
}

interface Outcome extends Found {
  readonly dialect: Dialect | undefined;
  readonly diagnostics: Diagnostics;
  readonly lines: LineIndex | null;
  readonly silenced: Silenced;
  readonly severities: Severities;
}

/** Findings that one reading holds. */
const mostFindings = 5000;
/** References that one reading lists, and characters of all their texts: each repeats its pointer. */
const mostReferences = 5000;
const mostReferenceChars = 1024 * 1024;

/** What the checks saw, as findings with lines, columns and severities. */
export function toReading(outcome: Outcome): ConfigReading {
  const { dialect, diagnostics, servers, lines, silenced, severities } = outcome;
  const references = listReferences(servers);
  const list = [...collect(outcome), ...tellUnlisted(servers, references.length)];
  const shown = (some: readonly Diagnostic[]) =>
    toFindings(
      some.filter((diagnostic) => !silenced(diagnostic)),
      lines,
      severities,
    );
  return {
    dialect: dialect?.id ?? "unknown",
    documentOk: !diagnostics.blocked,
    findings: shown(list),
    suppressed: toFindings(list.filter(silenced), lines, severities),
    servers: servers.map((server) => readingOf(server, shown(server.draft.diagnostics.list))),
    references,
  };
}

function listReferences(servers: readonly FinishedServer[]): ListedReference[] {
  const listed: ListedReference[] = [];
  let chars = 0;
  for (const { name: server, references } of servers) {
    for (const reference of references) {
      chars += reference.name.length + reference.pointer.length + server.length;
      if (listed.length === mostReferences || chars > mostReferenceChars) return listed;
      listed.push({ ...reference, server });
    }
  }
  return listed;
}

function tellUnlisted(servers: readonly FinishedServer[], listed: number): readonly Diagnostic[] {
  const left = servers.reduce((sum, { references }) => sum + references.length, 0) - listed;
  return left === 0 ? [] : tell(`${left} more references are not listed.`);
}

/** A finding about the report itself. */
function tell(message: string): readonly Diagnostic[] {
  const more = new Diagnostics();
  more.report("GW119", { pointer: "", span: null }, message);
  return more.list;
}

/** The document's findings and those of its servers; too many of them are cut, and that is told. */
function collect({ diagnostics, elsewhere, all }: Outcome): Diagnostic[] {
  const sources = [diagnostics, elsewhere, ...all.map(({ draft }) => draft.diagnostics)];
  const list = sources.flatMap((source) => source.list);
  const kept = list.slice(0, mostFindings);
  const left = list.length - kept.length + sources.reduce((sum, { dropped }) => sum + dropped, 0);
  return left === 0 ? kept : [...kept, ...tell(`${left} more findings are not shown.`)];
}

function readingOf(server: FinishedServer, findings: readonly Finding[]): ServerReading {
  return {
    name: server.name,
    pointer: server.draft.place.pointer,
    config: server.draft.diagnostics.blocked ? null : server.config,
    disabled: server.disabled,
    findings,
    references: server.references,
  };
}
