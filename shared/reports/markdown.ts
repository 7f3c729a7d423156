/** Letters, digits and punctuation without meaning to Markdown, HTML or a forge's autolinks. */
const plain = /^[\p{L}\p{N} .,;:'"?()/=%-]*$/u;
/** Plain characters that still begin a block (lists, rules) or make a link. */
const meaningful = /^\s|^[-=]|^\p{N}+[.)]|:\/\/|www\.|GH-\p{N}/iu;

/** One line of text as Markdown that shows it unchanged: as it is, or else as a code span. */
export function markdownLiteral(line: string): string {
  return plain.test(line) && !meaningful.test(line) ? line : codeSpan(line);
}

/**
 * A code span (CommonMark 6.1), in which nothing is a link, a mention or HTML. `line` holds no
 * line breaks. A `|` inside still ends a table cell: do not use it in tables.
 */
export function codeSpan(line: string): string {
  if (line === "") return "";
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(line) ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}
