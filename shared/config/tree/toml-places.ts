import type { Span } from "./node.ts";
import { ignoreWord, type Comment } from "./syntax-tree.ts";

/**
 * Where a key and its value stand. A tree and no table of pointers: to write each pointer out would
 * cost the length of its table's name once more for every key.
 */
export interface TomlPlace {
  /** A table's key may stand in several places; the first counts. */
  key: Span | null;
  value: Span | null;
  readonly children: Map<string | number, TomlPlace>;
  /** Number of `[[table]]` headers of this key. */
  tables: number;
}

export interface TomlPlaces {
  readonly root: TomlPlace;
  readonly comments: readonly Comment[];
}

/** Finds where keys and values stand in a text that is known to be valid TOML. */
export function tomlPlaces(text: string): TomlPlaces {
  const scanner = new TomlScanner(text);
  scanner.document();
  return scanner;
}

function emptyPlace(): TomlPlace {
  return { key: null, value: null, children: new Map(), tables: 0 };
}

class TomlScanner implements TomlPlaces {
  readonly root = emptyPlace();
  readonly comments: Comment[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): void {
    let table = this.root;
    while (this.#skip(/[\s]/) && this.#at < this.#text.length) {
      if (this.#peek("[")) table = this.#header();
      else this.#assignment(table);
    }
  }

  #header(): TomlPlace {
    const isArray = this.#text.startsWith("[[", this.#at);
    this.#at += isArray ? 2 : 1;
    const parts = this.#keyParts();
    const table = this.#table(parts, isArray);
    this.#skip(/[ \t]/);
    this.#at += isArray ? 2 : 1;
    return table;
  }

  /** The table that a header names; of an array of tables the newest one. */
  #table(parts: readonly KeyPart[], isArray: boolean): TomlPlace {
    let place = this.root;
    for (const [index, part] of parts.entries()) {
      place = child(place, part.key, part.span);
      if (isArray && index === parts.length - 1) place.tables += 1;
      if (place.tables > 0) place = child(place, place.tables - 1, part.span);
    }
    return place;
  }

  #assignment(table: TomlPlace): void {
    let place = table;
    for (const part of this.#keyParts()) place = child(place, part.key, part.span);
    this.#skip(/[ \t]/);
    this.#at += 1;
    this.#value(place);
  }

  #value(place: TomlPlace): void {
    this.#skip(/[ \t\r\n]/);
    const start = this.#at;
    if (this.#peek("[")) this.#array(place);
    else if (this.#peek("{")) this.#inlineTable(place);
    else if (this.#peek('"') || this.#peek("'")) this.#string();
    else this.#match(/[^,\]}#\r\n]*/y);
    const end = start + this.#text.slice(start, this.#at).trimEnd().length;
    place.value = { start, end };
  }

  #array(place: TomlPlace): void {
    this.#at += 1;
    for (let index = 0; this.#skip(/[\s,]/) && this.#open("]"); index += 1)
      this.#value(child(place, index, null));
    this.#at += 1;
  }

  #inlineTable(place: TomlPlace): void {
    this.#at += 1;
    while (this.#skip(/[\s,]/) && this.#open("}")) this.#assignment(place);
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
}

function child(place: TomlPlace, name: string | number, key: Span | null): TomlPlace {
  const known = place.children.get(name);
  if (known !== undefined) return known;
  const made = { ...emptyPlace(), key };
  place.children.set(name, made);
  return made;
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
