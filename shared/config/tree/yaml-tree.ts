import { isAlias, isMap, isScalar, isSeq, type Document, type ParsedNode } from "yaml";
import type { Diagnostics } from "../diagnostics.ts";
import type { ConfigLimits } from "../limits.ts";
import {
  childPointer,
  listAt,
  mapAt,
  scalarAt,
  type MapEntry,
  type Place,
  type Span,
  type TreeNode,
} from "./node.ts";
import { brokenTree, Budget, noExtensions, type SyntaxTree } from "./syntax-tree.ts";
import { yamlComments } from "./yaml-comments.ts";
import { composeYaml, mostErrors, mostWarnings, type Composed } from "./yaml-compose.ts";
import { tooLarge, type TooLarge } from "./yaml-size.ts";
import { lexYaml, readTokens } from "./yaml-tokens.ts";

/**
 * Reads one YAML 1.2 document (core schema). Keys are compared here and not by the parser, whose
 * own check is quadratic; aliases are followed here so that their expansion is counted.
 */
export function parseYaml(
  text: string,
  limits: ConfigLimits,
  diagnostics: Diagnostics,
): SyntaxTree {
  const lexemes = readLexemes(text, limits, diagnostics);
  if (lexemes === null) return brokenTree;
  const comments = yamlComments(text, lexemes);
  const document = compose(lexemes, { text, limits, diagnostics });
  if (document === null) return brokenTree;
  const root = new YamlReader(text, limits, diagnostics).read(document.contents, "", 0);
  return { root, comments, extensions: noExtensions };
}

function readLexemes(
  text: string,
  { maxTokens }: ConfigLimits,
  diagnostics: Diagnostics,
): readonly string[] | null {
  const { list, end } = lexYaml(text, maxTokens);
  if (list === null)
    reportTooLarge({ what: `larger than ${maxTokens} tokens`, offset: end }, diagnostics);
  return list;
}

interface Source {
  readonly text: string;
  readonly limits: ConfigLimits;
  readonly diagnostics: Diagnostics;
}

/** The text's one document; null when something is told of its size or its syntax. */
function compose(
  lexemes: readonly string[],
  { text, limits, diagnostics }: Source,
): Document.Parsed | null {
  const tokens = readTokens(lexemes);
  const large = tooLarge(tokens, limits);
  if (large !== null) {
    reportTooLarge(large, diagnostics);
    return null;
  }
  const composed = composeYaml(tokens, text.length);
  const [document] = composed.documents;
  return reportSyntax(composed, diagnostics) || document === undefined ? null : document;
}

function reportTooLarge({ what, offset }: TooLarge, diagnostics: Diagnostics): void {
  const span = { start: offset, end: offset + 1 };
  diagnostics.report("GW105", { pointer: "", span }, `The document is ${what}.`);
}

function reportSyntax(
  { documents, errors, lastWarning }: Composed,
  diagnostics: Diagnostics,
): boolean {
  for (const error of errors.slice(0, mostErrors)) {
    const rule = error.code === "TAG_RESOLVE_FAILED" ? "GW106" : "GW100";
    diagnostics.report(rule, placeOf(error.pos), `YAML: ${error.message}`);
  }
  if (lastWarning !== null) {
    const message = `The document has more than ${mostWarnings} tags that are no plain data types.`;
    diagnostics.report("GW106", placeOf(lastWarning.pos), message);
  }
  const second = documents[1]?.range[0];
  if (second !== undefined)
    diagnostics.report("GW104", placeOf([second, second]), "A second YAML document starts here.");
  return errors.length > 0 || lastWarning !== null || second !== undefined;
}

function placeOf([start, end]: readonly [number, number]): Place {
  return { pointer: "", span: { start, end } };
}

const plainTags = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((tag) => `tag:yaml.org,2002:${tag}`),
);

class YamlReader {
  readonly #text: string;
  readonly #budget: Budget;
  readonly #limits: ConfigLimits;
  readonly #diagnostics: Diagnostics;
  readonly #anchors = new Map<string, ParsedNode>();
  /** Anchored nodes that are being read: an alias to one of them would never end. */
  readonly #open = new Set<ParsedNode>();
  #aliases = 0;

  constructor(text: string, limits: ConfigLimits, diagnostics: Diagnostics) {
    this.#text = text;
    this.#limits = limits;
    this.#diagnostics = diagnostics;
    this.#budget = new Budget(limits, diagnostics);
  }

  read(node: ParsedNode | null | undefined, pointer: string, depth: number): TreeNode {
    const span = this.#span(node);
    const place = { pointer, span };
    if (!node || !this.#budget.spend(depth, place)) return scalarAt(place, null);
    if (isAlias(node)) return this.#alias(node.source, place, depth);
    this.#checkTag(node, place);
    if (node.anchor === undefined) return this.#value(node, place, depth);
    this.#anchors.set(node.anchor, node);
    this.#open.add(node);
    const tree = this.#value(node, place, depth);
    this.#open.delete(node);
    return tree;
  }

  #value(node: ParsedNode, place: Place, depth: number): TreeNode {
    return this.#collection(node, place, depth) ?? this.#scalar(node, place);
  }

  #collection(node: ParsedNode, place: Place, depth: number): TreeNode | null {
    const { pointer } = place;
    if (isMap(node)) return mapAt(place, this.#entries(node, pointer, depth));
    if (!isSeq(node)) return null;
    const items = node.items as readonly ParsedNode[];
    return listAt(
      place,
      items.map((item, index) => this.read(item, childPointer(pointer, index), depth + 1)),
    );
  }

  #entries(node: ParsedNode, pointer: string, depth: number): MapEntry[] {
    if (!isMap(node)) return [];
    const entries = new Map<string, MapEntry>();
    const merged: MapEntry[] = [];
    for (const pair of node.items as readonly {
      key: ParsedNode | null;
      value: ParsedNode | null;
    }[]) {
      const key = this.#key(pair.key, pointer);
      if (key === null) continue;
      const keySpan = this.#span(pair.key);
      const at = childPointer(pointer, key);
      if (!this.#budget.checkKey(key, { pointer: at, span: keySpan })) continue;
      const value = this.read(pair.value, at, depth + 1);
      if (key === "<<") merged.push(...mergeSources(value));
      else if (entries.has(key)) this.#budget.reportDuplicate(key, { pointer: at, span: keySpan });
      else
        entries.set(key, {
          key,
          keySpan,
          value: value.span === null ? { ...value, span: keySpan } : value,
        });
    }
    for (const entry of merged) if (!entries.has(entry.key)) entries.set(entry.key, entry);
    return [...entries.values()];
  }

  #key(node: ParsedNode | null, pointer: string): string | null {
    if (node === null) return "";
    if (isScalar(node))
      return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
    this.#diagnostics.report(
      "GW112",
      { pointer, span: this.#span(node) },
      "A key must be plain text.",
    );
    return null;
  }

  #scalar(node: ParsedNode, place: Place): TreeNode {
    const value = isScalar(node) ? node.value : null;
    if (typeof value === "string") this.#budget.checkString(value, place);
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      return scalarAt(place, value);
    return scalarAt(place, null);
  }

  #alias(source: string, place: Place, depth: number): TreeNode {
    const target = this.#anchors.get(source);
    this.#aliases += 1;
    if (this.#aliases > this.#limits.maxAliases)
      return this.#refuse(place, `The document uses more than ${this.#limits.maxAliases} aliases.`);
    if (target === undefined)
      return this.#refuse(place, `The alias '*${source}' has no anchor before it.`);
    if (this.#open.has(target))
      return this.#refuse(place, `The alias '*${source}' stands inside its own anchor.`);
    return this.read(target, place.pointer, depth);
  }

  #refuse(place: Place, message: string): TreeNode {
    if (!this.#budget.exceeded) this.#diagnostics.report("GW106", place, message);
    this.#budget.exceeded = true;
    return scalarAt(place, null);
  }

  /** Without the line breaks that the parser counts to a block's end. */
  #span(node: ParsedNode | null | undefined): Span | null {
    const range = node?.range;
    if (!range) return null;
    const [start] = range;
    let end = range[1];
    while (end > start && blank.has(this.#text[end - 1] ?? "")) end -= 1;
    return { start, end };
  }

  #checkTag(node: ParsedNode, place: Place): void {
    const tag = node.tag;
    if (tag === undefined || plainTags.has(tag) || tag === "!") return;
    this.#diagnostics.report("GW142", place, `The tag '${tag}' is not a plain data type.`);
  }
}

const blank = new Set([" ", "\t", "\r", "\n"]);

/** `<<: *base` and `<<: [*a, *b]`: entries of the maps named, the earlier map winning. */
function mergeSources(value: TreeNode): readonly MapEntry[] {
  if (value.kind === "map") return value.entries;
  return value.kind === "list" ? value.items.flatMap(mergeSources) : [];
}
