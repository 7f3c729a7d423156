import { childPointer, type Span } from "./node.ts";
import { ignoreWord, type Comment } from "./syntax-tree.ts";

/** Spans by JSON Pointer. Keys of one table may stand in several places; the first counts. */
export interface TomlPlaces {
  readonly keys: ReadonlyMap<string, Span>;
  readonly values: ReadonlyMap<string, Span>;
  readonly comments: readonly Comment[];
}

/** Finds where keys and values stand in a text that is known to be valid TOML. */
export function tomlPlaces(text: string): TomlPlaces {
  const scanner = new TomlScanner(text);
  scanner.document();
  return scanner;
}

class TomlScanner implements TomlPlaces {
  readonly keys = new Map<string, Span>();
  readonly values = new Map<string, Span>();
  readonly comments: Comment[] = [];
  readonly #text: string;
  /** Number of `[[table]]` headers seen for each pointer. */
  readonly #counts = new Map<string, number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    let table = "";
    while (this.#skip(/[\s]/) && this.#at < this.#text.length) {
      if (this.#peek("[")) table = this.#header();
      else this.#assignment(table);
    }
  }

  #header(): string {
    const isArray = this.#text.startsWith("[[", this.#at);
    this.#at += isArray ? 2 : 1;
    const parts = this.#keyParts();
    const pointer = this.#tablePointer(parts, isArray);
    this.#skip(/[ \t]/);
    this.#at += isArray ? 2 : 1;
    return pointer;
  }

  #tablePointer(parts: readonly KeyPart[], isArray: boolean): string {
    let pointer = "";
    for (const [index, part] of parts.entries()) {
      pointer = childPointer(pointer, part.key);
      this.#note(this.keys, pointer, part.span);
      const isLast = index === parts.length - 1;
      if (isLast && isArray) this.#counts.set(pointer, (this.#counts.get(pointer) ?? 0) + 1);
      const count = this.#counts.get(pointer);
      if (count !== undefined) pointer = childPointer(pointer, count - 1);
      this.#note(this.keys, pointer, part.span);
    }
    return pointer;
  }

  #assignment(table: string): void {
    let pointer = table;
    for (const part of this.#keyParts()) {
      pointer = childPointer(pointer, part.key);
      this.#note(this.keys, pointer, part.span);
    }
    this.#skip(/[ \t]/);
    this.#at += 1;
    this.#value(pointer);
  }

  #value(pointer: string): void {
    this.#skip(/[ \t\r\n]/);
    const start = this.#at;
    if (this.#peek("[")) this.#array(pointer);
    else if (this.#peek("{")) this.#inlineTable(pointer);
    else if (this.#peek('"') || this.#peek("'")) this.#string();
    else this.#match(/[^,\]}#\r\n]*/y);
    const end = start + this.#text.slice(start, this.#at).trimEnd().length;
    this.values.set(pointer, { start, end });
  }

  #array(pointer: string): void {
    this.#at += 1;
    for (let index = 0; this.#skip(/[\s,]/) && this.#open("]"); index += 1)
      this.#value(childPointer(pointer, index));
    this.#at += 1;
  }

  #inlineTable(pointer: string): void {
    this.#at += 1;
    while (this.#skip(/[\s,]/) && this.#open("}")) this.#assignment(pointer);
    this.#at += 1;
  }

  #keyParts(): KeyPart[] {
    const parts: KeyPart[] = [];
    do {
      this.#skip(/[ \t.]/);
      const start = this.#at;
      const quoted = this.#peek('"') || this.#peek("'");
      if (quoted) this.#string();
      else this.#match(/[A-Za-z0-9_-]*/y);
      const raw = this.#text.slice(start, this.#at);
      parts.push({ key: quoted ? unquote(raw) : raw, span: { start, end: this.#at } });
      this.#skip(/[ \t]/);
    } while (this.#peek(".") && this.#at < this.#text.length);
    return parts;
  }

  #string(): void {
    const quote = this.#text[this.#at] ?? "";
    if (this.#text.startsWith(quote.repeat(3), this.#at)) {
      this.#match(
        quote === '"' ? /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}/y : /'''(?:[^']|'(?!''))*'{3,5}/y,
      );
    } else this.#match(quote === '"' ? /"(?:[^"\\\n]|\\.)*"/y : /'[^'\n]*'/y);
  }

  /** Skips what `blank` matches, and comments where line breaks are blank. */
  #skip(blank: RegExp): true {
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (char === "#" && blank.test("\n")) this.#comment();
      else if (blank.test(char)) this.#at += 1;
      else break;
    }
    return true;
  }

  #comment(): void {
    const end = this.#text.indexOf("\n", this.#at);
    const span = { start: this.#at, end: end === -1 ? this.#text.length : end };
    const text = this.#text.slice(span.start, span.end);
    if (text.includes(ignoreWord)) this.comments.push({ text, span });
    this.#at = span.end;
  }

  #match(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += Math.max(pattern.exec(this.#text)?.[0].length ?? 0, 0);
  }

  #peek(char: string): boolean {
    return this.#text[this.#at] === char;
  }

  #open(closer: string): boolean {
    return this.#at < this.#text.length && !this.#peek(closer);
  }

  #note(places: Map<string, Span>, pointer: string, span: Span): void {
    if (!places.has(pointer)) places.set(pointer, span);
  }
}

interface KeyPart {
  readonly key: string;
  readonly span: Span;
}

/** A quoted key's text; escapes other than JSON's are kept as written, which only costs a place. */
function unquote(raw: string): string {
  if (raw.startsWith("'")) return raw.slice(1, -1);
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === "string" ? value : raw;
  } catch {
    return raw.slice(1, -1); // TOML-only escapes
  }
}
