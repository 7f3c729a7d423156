import type { ConfigLimits } from "../limits.ts";
import type { Diagnostics } from "../diagnostics.ts";
import type { Place, Span, TreeNode } from "./node.ts";

export type Syntax = "yaml" | "json" | "toml";

export interface Comment {
  readonly text: string;
  readonly span: Span;
}

/** What a parser hands on: the tree (null when the syntax is broken) and what it saw on the way. */
export interface SyntaxTree {
  readonly root: TreeNode | null;
  /** Comments that hold the word `gangway-ignore`. */
  readonly comments: readonly Comment[];
  /** JSON only: where the first comment and the first trailing comma stand. */
  readonly extensions: { readonly comment: Span | null; readonly trailingComma: Span | null };
}

export const noExtensions = { comment: null, trailingComma: null } as const;

export const brokenTree: SyntaxTree = { root: null, comments: [], extensions: noExtensions };

/** Marks comments that are worth collecting. */
export const ignoreWord = "gangway-ignore";

/** Shared by the parsers: counts nodes and checks keys and strings, each trouble told once. */
export class Budget {
  readonly #limits: ConfigLimits;
  readonly #diagnostics: Diagnostics;
  #nodes = 0;
  /** A limit was passed: what is read from here on counts for nothing. */
  exceeded = false;

  constructor(limits: ConfigLimits, diagnostics: Diagnostics) {
    this.#limits = limits;
    this.#diagnostics = diagnostics;
  }

  /** False when the node may not be read any more. */
  spend(depth: number, place: Place): boolean {
    if (this.exceeded) return false;
    this.#nodes += 1;
    if (depth > this.#limits.maxDepth)
      return this.#refuse(place, `nested deeper than ${this.#limits.maxDepth} levels`);
    if (this.#nodes > this.#limits.maxNodes)
      return this.#refuse(place, `larger than ${this.#limits.maxNodes} values`);
    return true;
  }

  checkString(value: string, place: Place): void {
    if (value.includes("\0"))
      this.#diagnostics.report("GW101", place, "A text holds a NUL character.");
    const { maxStringChars } = this.#limits;
    if (value.length <= maxStringChars) return;
    this.#diagnostics.report("GW139", place, `A text is longer than ${maxStringChars} characters.`);
  }

  /** False for keys that could reach a prototype and for endless ones: the entry is left out. */
  checkKey(key: string, place: Place): boolean {
    const { maxKeyChars } = this.#limits;
    if (key.length > maxKeyChars) {
      // The place is that of the map: every pointer below would repeat the key.
      const pointer = place.pointer.slice(0, place.pointer.lastIndexOf("/"));
      const message = `A key is longer than ${maxKeyChars} characters.`;
      this.#diagnostics.report("GW139", { pointer, span: place.span }, message);
      return false;
    }
    if (!reservedKeys.has(key)) return true;
    this.#diagnostics.report("GW107", place, `The key '${key}' is reserved.`);
    return false;
  }

  reportDuplicate(key: string, place: Place): void {
    this.#diagnostics.report("GW102", place, `The key '${shorten(key)}' is written twice.`);
  }

  #refuse(place: Place, what: string): false {
    this.exceeded = true;
    this.#diagnostics.report("GW105", place, `The document is ${what}.`);
    return false;
  }
}

const reservedKeys = new Set(["__proto__", "constructor", "prototype"]);

/** A key or value for a message: bounded, so that a finding stays readable. */
export function shorten(value: string, max = 60): string {
  return value.length <= max ? value : `${value.slice(0, max - 1)}…`;
}
