import { createScanner } from "jsonc-parser";
import type { ConfigLimits } from "../limits.ts";
import type { Span } from "./node.ts";
import { ignoreWord, noExtensions, type Comment } from "./syntax-tree.ts";

// jsonc-parser's enums are `const enum`s, which isolated modules cannot import.
const openers = new Set([1, 3]);
const closers = new Set([2, 4]);
const comma = 5;
const comments = new Set([12, 13]);
const trivia = new Set([12, 13, 14, 15]);
const endOfFile = 17;

export interface JsonScan {
  /** What makes the document too large to parse, and where. */
  tooLarge: { readonly what: string; readonly span: Span } | null;
  comment: Span | null;
  trailingComma: Span | null;
  comments: Comment[];
}

/** One pass over the tokens: size, nesting, comments, trailing commas. */
export function scanJson(
  text: string,
  { maxDepth, maxTokens }: Pick<ConfigLimits, "maxDepth" | "maxTokens">,
): JsonScan {
  const scanner = createScanner(text, false);
  const scan: JsonScan = { tooLarge: null, ...noExtensions, comments: [] };
  let depth = 0;
  let tokens = 0;
  let lastComma: Span | null = null;
  for (let kind: number = scanner.scan(); kind !== endOfFile; kind = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const span = { start, end: start + scanner.getTokenLength() };
    if (comments.has(kind)) noteComment(scan, text.slice(span.start, span.end), span);
    if (trivia.has(kind)) continue;
    tokens += 1;
    if (openers.has(kind)) depth += 1;
    if (depth > maxDepth) return refuse(scan, `nested deeper than ${maxDepth} levels`, span);
    if (tokens > maxTokens) return refuse(scan, `larger than ${maxTokens} tokens`, span);
    if (closers.has(kind)) {
      depth -= 1;
      scan.trailingComma ??= lastComma;
    }
    lastComma = kind === comma ? span : null;
  }
  return scan;
}

function refuse(scan: JsonScan, what: string, span: Span): JsonScan {
  return { ...scan, tooLarge: { what, span } };
}

function noteComment(scan: JsonScan, text: string, span: Span): void {
  scan.comment ??= span;
  if (text.includes(ignoreWord)) scan.comments.push({ text, span });
}
