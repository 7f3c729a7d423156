import type { Diagnostics } from "../diagnostics.ts";
import type { MapNode } from "../tree/node.ts";
import type { TransportName } from "../server-config.ts";
import type { ReferenceSyntax } from "./reference-syntax.ts";

/** What becomes of a client's field. */
export type FieldUse =
  /** Becomes the native field; milliseconds are turned into seconds. */
  | { readonly to: string; readonly unit?: "ms" }
  /** Known to the client, without effect in a gateway: told once. */
  | "unused"
  /** Concerns the client's own screens: not worth a finding. */
  | "own";

/** How one client writes MCP servers. Plain data where possible; `adapt` for what is not. */
export interface Client {
  readonly id: string;
  readonly title: string;
  readonly files: readonly string[];
  /** Key paths under which the client looks for servers, the usual one first. */
  readonly sections: readonly (readonly string[])[];
  readonly layout: "map" | "list";
  readonly fields: Readonly<Record<string, FieldUse>>;
  /** Reference syntaxes that the client replaces. */
  readonly syntaxes: readonly ReferenceSyntax[];
  /** `${…}` names that the client fills itself; a gateway cannot, which GW415 tells. */
  readonly variables?: readonly string[];
  /** What a url without a type means to the client; null: concluded from the URL. */
  readonly untyped: TransportName | null;
  /** JSON extensions that the client reads. */
  readonly json: "strict" | "comments" | "commas";
  /** What the client itself would misread, told as GW137. */
  readonly traps?: (entry: MapNode, diagnostics: Diagnostics) => void;
  /** Brings an entry to the plain fields above; null for entries that are no MCP servers. */
  readonly adapt?: (entry: MapNode) => MapNode | null;
  /** Whether a document without a telling name is this client's. */
  readonly matches: (root: MapNode) => boolean;
}

/** Fields that nearly every client has. */
export const commonFields = {
  command: { to: "command" },
  args: { to: "args" },
  env: { to: "env" },
  url: { to: "url" },
  headers: { to: "headers" },
  description: { to: "description" },
  disabled: { to: "disabled" },
  type: { to: "transport" },
  cwd: "unused",
  name: "own",
} as const satisfies Readonly<Record<string, FieldUse>>;
