/** Letters, digits and punctuation without meaning to Markdown, HTML or a forge's autolinks. */
const plain = /^[\p{L}\p{N} .,;:'"?()/=%-]*$/u;
/** Addresses, references to issues, and emoji or commands between colons. */
const linkLike = /:\/\/|www\.|GH-\p{N}|:[^ ]*:/iu;
/** What begins a list, a rule or a heading's underline. */
const blockLike = /^\s|^[-=]|^\p{N}+[.)]/u;

/** One line of text as Markdown that shows it unchanged; what has a meaning there as code span. */
export function markdownLiteral(line: string): string {
  return isLiteral(line) ? line : codeSpan(line);
}

/** Plain words with, at most, quotations in single backticks, which Markdown shows as code. */
function isLiteral(line: string): boolean {
  const parts = line.split("`");
  const balanced = parts.length % 2 === 1 && !parts.slice(1, -1).includes("");
  const words = parts.filter((_part, index) => index % 2 === 0);
  return (
    balanced &&
    !blockLike.test(line) &&
    words.every((part) => plain.test(part) && !linkLike.test(part))
  );
}

/**
 * A code span (CommonMark 6.1), in which nothing is a link, a mention or HTML. `line` holds no
 * line breaks. A `|` inside still ends a table cell: do not use it in tables.
 */
export function codeSpan(line: string): string {
  if (line === "") return "";
  const runs = line.match(/`+/g) ?? [];
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(line) ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}
