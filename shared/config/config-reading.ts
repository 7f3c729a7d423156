import { type Diagnostic, type Diagnostics, type Severities, toFindings } from "./diagnostics.ts";
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
  readonly references: readonly (Reference & { readonly server: string })[];
}

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

/** What the checks saw, as findings with lines, columns and severities. */
export function toReading(outcome: Outcome): ConfigReading {
  const { dialect, diagnostics, servers, lines, silenced, severities } = outcome;
  const shown = (list: readonly Diagnostic[]) =>
    toFindings(
      list.filter((diagnostic) => !silenced(diagnostic)),
      lines,
      severities,
    );
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
