import { ignoreWord, type Comment } from "./syntax-tree.ts";
import { isControl } from "./yaml-tokens.ts";

/** Comments with an inline ignore, from a text and its lexemes. */
export function yamlComments(text: string, lexemes: readonly string[]): Comment[] {
  if (!text.includes(ignoreWord)) return [];
  const comments: Comment[] = [];
  let offset = 0;
  for (const token of lexemes) {
    if (isControl(token)) continue;
    if (token.startsWith("#") && token.includes(ignoreWord)) {
      comments.push({ text: token, span: { start: offset, end: offset + token.length } });
    }
    offset += token.length;
  }
  return comments;
}
