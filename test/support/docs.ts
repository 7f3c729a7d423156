import { sourceFiles } from "./source-files.ts";

/** Every page of the documentation. */
export const pages = sourceFiles("*.md", "docs/**/*.md");

/** Pages that people wrote; those of docs/reference are generated. */
export const writtenPages = pages.filter(({ path }) => !path.startsWith("docs/reference/"));

export interface CodeBlock {
  readonly page: string;
  readonly language: string;
  /** What follows the language: `POST /v1/validate` for the body of a request. */
  readonly info: string;
  readonly code: string;
}

/** A block's own indentation is taken off, since it may stand in a list. */
const blockPattern = /^( *)```(\w+)(?: ([^\n]+))?\n([^]*?)^\1```$/gm;

export function codeBlocks(path: string, text: string): CodeBlock[] {
  return [...text.matchAll(blockPattern)].map(
    ([, indent = "", language = "", info = "", code = ""]) => ({
      page: path,
      language,
      info,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), "").trimEnd(),
    }),
  );
}

/** Every match of the pattern's first group. */
export function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, found]) => found ?? []);
}
