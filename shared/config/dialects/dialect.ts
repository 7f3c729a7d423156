import type { Diagnostics } from "../diagnostics.ts";
import type { ServerDraft } from "../server/draft.ts";
import type { TreeNode } from "../tree/node.ts";
import type { Client } from "./client.ts";

/** One client's way to write MCP servers. */
export interface Dialect {
  /** Stable id, as the `dialect` option and reports name it. */
  readonly id: string;
  readonly title: string;
  /** File names that are this client's: matched against the end of the path at a `/` border. */
  readonly files: readonly string[];
  /** The tables behind the dialect, for its documentation; null for the native form. */
  readonly client: Client | null;
  /** JSON extensions that the client reads: none, comments, or trailing commas as well. */
  readonly json: "strict" | "comments" | "commas";
  /** Whether a document without a telling name is of this dialect. */
  readonly matches: (root: TreeNode) => boolean;
  /** Whether the document has the part in which this client looks for servers. */
  readonly hasSection: (root: TreeNode) => boolean;
  /** The document's servers; troubles above single servers go to `diagnostics`. */
  readonly read: (root: TreeNode, diagnostics: Diagnostics) => readonly ServerDraft[];
}
