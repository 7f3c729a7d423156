import { Lexer } from "yaml";
import { ignoreWord, type Comment } from "./syntax-tree.ts";

/** Comments with an inline ignore; the text is lexed for them only where the word occurs. */
export function yamlComments(text: string): Comment[] {
  if (!text.includes(ignoreWord)) return [];
  const comments: Comment[] = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (isControl(token)) continue;
    if (token.startsWith("#") && token.includes(ignoreWord)) {
      comments.push({ text: token, span: { start: offset, end: offset + token.length } });
    }
    offset += token.length;
  }
  return comments;
}

/** The lexer marks documents, flow ends and scalars with single control characters of its own. */
function isControl(token: string): boolean {
  return token === "\u0002" || token === "\u0018" || token === "\u001f";
}
