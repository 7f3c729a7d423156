import { Diagnostics, toFinding } from "./diagnostics.ts";
import type { Finding } from "./finding.ts";
import { LineIndex } from "./tree/line-index.ts";

export interface EnvFile {
  readonly values: Readonly<Record<string, string>>;
  /** Lines that are not used and names that are set twice; positions are in the env file's text. */
  readonly findings: readonly Finding[];
}

const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=\s*/;
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  '"': '"',
  "\\": "\\",
};

/**
 * Reads dotenv text: `NAME=value`, `export NAME=value`, single, double and backtick quotes, comments
 * on lines of their own and after ` #`, a byte order mark, CRLF. Values are literal: nothing in
 * them is expanded. Where a name is set twice the last one counts, with a finding.
 */
export function parseEnvFile(source: string): EnvFile {
  const text = source.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  const values = new Map<string, string>();
  const diagnostics = new Diagnostics();
  const unclosed = new Set<string>();
  for (let at = 0; at < text.length;) {
    const line = readLine(text, at, unclosed);
    const place = { pointer: "", span: { start: at, end: line.end } };
    if (line.kind === "other")
      diagnostics.report("GW602", place, "The line is not of the form NAME=value.");
    if (line.kind === "pair") {
      if (values.has(line.name))
        diagnostics.report("GW602", place, `'${line.name}' is set twice; the last one counts.`);
      values.set(line.name, line.value);
    }
    at = line.end + 1;
  }
  const lines = new LineIndex(text);
  const findings = diagnostics.list.flatMap((diagnostic) => toFinding(diagnostic, lines, {}) ?? []);
  return { values: Object.fromEntries(values), findings };
}

type Line =
  | { readonly kind: "blank" | "other"; readonly end: number }
  | { readonly kind: "pair"; readonly end: number; readonly name: string; readonly value: string };

function readLine(text: string, at: number, unclosed: Set<string>): Line {
  const newline = text.indexOf("\n", at);
  const end = newline === -1 ? text.length : newline;
  const line = text.slice(at, end);
  if (/^\s*(#|$)/.test(line)) return { kind: "blank", end };
  const head = assignment.exec(line);
  const name = head?.[1];
  if (head === null || name === undefined || name === "__proto__") return { kind: "other", end };
  const start = at + head[0].length;
  return {
    kind: "pair",
    name,
    ...(readQuoted(text, start, unclosed) ?? readBare(text, start, end)),
  };
}

interface Value {
  readonly value: string;
  /** Offset of the line break after the value. */
  readonly end: number;
}

function readBare(text: string, start: number, end: number): Value {
  const raw = text.slice(start, end);
  const comment = /(?:^|\s)#/.exec(raw);
  return { value: (comment === null ? raw : raw.slice(0, comment.index)).trim(), end };
}

/** A quoted value may span lines; null when nothing is quoted, or more follows than a comment. */
function readQuoted(text: string, start: number, unclosed: Set<string>): Value | null {
  const quote = text[start] ?? "";
  if (!/["'`]/.test(quote) || unclosed.has(quote)) return null;
  const close = closingQuote(text, start + 1, quote);
  // Remembered, so that a file full of unclosed quotes is not searched to its end for each.
  if (close === -1) unclosed.add(quote);
  if (close === -1) return null;
  const newline = text.indexOf("\n", close);
  const end = newline === -1 ? text.length : newline;
  if (!/^[ \t]*(#|$)/.test(text.slice(close + 1, end))) return null;
  const raw = text.slice(start + 1, close);
  return { value: quote === '"' ? unescape(raw) : raw, end };
}

/** Only double quotes know escapes. */
function closingQuote(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === "\\" && quote === '"') at += 1;
    else if (text[at] === quote) return at;
  }
  return -1;
}

function unescape(raw: string): string {
  return raw.replace(/\\([\s\S])/g, (whole, char: string) => escapes[char] ?? whole);
}
