/** Offsets into the text, end exclusive, in UTF-16 code units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a diagnostic points: a JSON Pointer, and a span where the config came as text. */
export interface Place {
  readonly pointer: string;
  readonly span: Span | null;
}

export interface MapEntry {
  readonly key: string;
  readonly keySpan: Span | null;
  readonly value: TreeNode;
}

export interface MapNode extends Place {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

export interface ListNode extends Place {
  readonly kind: "list";
  readonly items: readonly TreeNode[];
}

export interface ScalarNode extends Place {
  readonly kind: "scalar";
  readonly value: string | number | boolean | null;
  /** Made by a dialect in the native syntax: not to be translated again. */
  readonly translated?: true;
}

/**
 * One syntax tree for YAML, JSON, TOML and plain objects. Nodes carry their own place, so that
 * dialects may rearrange them and findings still point at what the author wrote.
 */
export type TreeNode = MapNode | ListNode | ScalarNode;

/** RFC 6901: `~` and `/` in a key are escaped. */
export function childPointer(pointer: string, key: string | number): string {
  if (typeof key === "number" || !/[~/]/.test(key)) return `${pointer}/${key}`;
  return `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

export function entryOf(node: TreeNode | undefined, key: string): MapEntry | undefined {
  if (node?.kind !== "map") return undefined;
  return node.entries.find((entry) => entry.key === key);
}

export function child(node: TreeNode | undefined, key: string): TreeNode | undefined {
  return entryOf(node, key)?.value;
}

/** The string that a scalar holds, undefined for anything else. */
export function text(node: TreeNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The place of an entry's key, for findings about the key and not its value. */
export function keyPlace(entry: MapEntry): Place {
  return { pointer: entry.value.pointer, span: entry.keySpan ?? entry.value.span };
}

/** A scalar made by us that points at what it was made from. */
export function scalarAt(place: Place, value: ScalarNode["value"]): ScalarNode {
  return { kind: "scalar", pointer: place.pointer, span: place.span, value };
}

/** `${NAME}` made from a client's field that names a variable. */
export function referenceAt(place: Place, name: string, prefix = ""): ScalarNode {
  return { ...scalarAt(place, `${prefix}\${${name}}`), translated: true };
}

export function listAt(place: Place, items: readonly TreeNode[]): ListNode {
  return { kind: "list", pointer: place.pointer, span: place.span, items };
}

export function mapAt(place: Place, entries: readonly MapEntry[]): MapNode {
  return { kind: "map", pointer: place.pointer, span: place.span, entries };
}

/** Plain data of a node. Keys that could reach a prototype never get into a tree. */
export function plain(node: TreeNode): unknown {
  if (node.kind === "scalar") return node.value;
  if (node.kind === "list") return node.items.map(plain);
  return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.value)]));
}
