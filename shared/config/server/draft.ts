import type { Diagnostics } from "../diagnostics.ts";
import type { MapEntry, Place, TreeNode } from "../tree/node.ts";

/** A field of a draft: its value under the native name, and the entry that it was written as. */
export interface Field {
  /** The key as written. */
  readonly key: string;
  readonly keyPlace: Place;
  readonly value: TreeNode;
}

/**
 * One server between dialect and native model: fields under their native names, values in native
 * units and syntax, each still pointing at what the author wrote.
 */
export interface ServerDraft {
  /** The whole entry; findings about missing fields point here. */
  readonly place: Place;
  /** What to call the server in messages while its name is not known to be legal. */
  readonly label: string;
  readonly fields: Map<string, Field>;
  readonly diagnostics: Diagnostics;
  /** Entries written in the native form need what dialects do not have, such as a description. */
  readonly native: boolean;
}

export function fieldOf(entry: MapEntry): Field {
  return {
    key: entry.key,
    keyPlace: { pointer: entry.value.pointer, span: entry.keySpan ?? entry.value.span },
    value: entry.value,
  };
}

/** A field that no key stands for, placed where it was concluded from. */
export function impliedField(key: string, value: TreeNode): Field {
  return { key, keyPlace: { pointer: value.pointer, span: value.span }, value };
}
