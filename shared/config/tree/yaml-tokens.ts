import { type CST, Lexer, Parser } from "yaml";

/** Pieces of the text in order; null and the offset reached where there are more than `max`. */
interface Lexemes {
  readonly list: readonly string[] | null;
  readonly end: number;
}

/** Splits a text. This comes before any parsing: what follows costs ten times as much a piece. */
export function lexYaml(text: string, max: number): Lexemes {
  const list: string[] = [];
  let end = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (list.length === max) return { list: null, end };
    list.push(lexeme);
    if (!isControl(lexeme)) end += lexeme.length;
  }
  return { list, end };
}

/** The lexer marks documents, flow ends and scalars with single control characters of its own. */
export function isControl(lexeme: string): boolean {
  return lexeme === "\u0002" || lexeme === "\u0018" || lexeme === "\u001f";
}

/** Errors, directives and ends of documents that are handed on: a few of them say enough. */
const mostExtras = 20;
const plainTypes: ReadonlySet<string> = new Set(["comment", "newline", "space", "byte-order-mark"]);

/** Top-level tokens up to the second document, whose being there is all that counts. */
export function readTokens(lexemes: readonly string[]): CST.Token[] {
  const tokens: CST.Token[] = [];
  let extras = 0;
  let documents = 0;
  for (const token of parse(lexemes)) {
    if (token.type === "document") documents += 1;
    else if (!plainTypes.has(token.type)) extras += 1;
    if (plainTypes.has(token.type) || token.type === "document" || extras <= mostExtras)
      tokens.push(token);
    if (documents === 2) break;
  }
  return tokens;
}

function* parse(lexemes: readonly string[]): Generator<CST.Token> {
  const parser = new Parser();
  for (const lexeme of lexemes) yield* parser.next(lexeme);
  yield* parser.end();
}
