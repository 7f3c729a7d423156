import { queryStart } from "../references.ts";
import { impliedField, type ServerDraft } from "../server/draft.ts";
import { listAt, scalarAt, type ScalarNode, type TreeNode } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import type { Client } from "./client.ts";
import { inputName, type InputNames } from "./input-names.ts";
import { translate, type Translated } from "./reference-syntax.ts";

const fields = ["command", "args", "env", "headers", "url", "config"];

/** Writes the client's references in the native syntax, and tells what changes or gets lost. */
export function translateReferences(
  client: Client,
  draft: ServerDraft,
  declared: InputNames,
): void {
  const inputs = new Map<string, ScalarNode>();
  for (const name of fields) {
    const field = draft.fields.get(name);
    if (field === undefined) continue;
    const value = mapTexts(field.value, (node, text) => {
      const translated = translate(text, client.syntaxes, declared);
      for (const id of translated.inputs) if (!inputs.has(id)) inputs.set(id, node);
      const written = name === "url" ? withDefaults(translated) : notWritten(translated);
      reportChanges({ client, draft, node }, translated, written.defaults);
      return scalarAt(node, written.text);
    });
    draft.fields.set(name, { ...field, value });
  }
  useInputs(draft, inputs, declared);
}

interface At {
  readonly client: Client;
  readonly draft: ServerDraft;
  readonly node: ScalarNode;
}

function reportChanges(
  { client, draft, node }: At,
  translated: Translated,
  written: ReadonlySet<string>,
): void {
  for (const { name } of translated.defaults) {
    if (written.has(name))
      draft.diagnostics.report(
        "GW416",
        node,
        `The default value of ${name} takes its place: a URL may hold references in its query only.`,
        "Check that the default is the address that is meant, and write it out.",
      );
    else draft.diagnostics.report("GW416", node, `The default value of ${name} is not kept.`);
  }
  const first = translated.literal.find((name) => client.variables?.includes(name) !== true);
  if (first === undefined) return;
  draft.diagnostics.report(
    "GW411",
    node,
    `${client.title} sends \${${first}} as it stands; a gateway reads it as a reference.`,
  );
}

/** A text, and the names whose default values stand in it. */
interface Written {
  readonly text: string;
  readonly defaults: ReadonlySet<string>;
}

function notWritten({ text }: Translated): Written {
  return { text, defaults: new Set() };
}

/** References work in a URL's query only: before it the default value is what can be used. */
function withDefaults({ text, defaults }: Translated): Written {
  const written = new Set<string>();
  const url = defaults.reduce((before, { name, value }) => {
    const at = before.indexOf(`\${${name}}`);
    if (at === -1 || at >= queryStart(before)) return before;
    written.add(name);
    return before.replace(`\${${name}}`, () => value);
  }, text);
  return { text: url, defaults: written };
}

/** Inputs are what a request may fill; an undeclared one would be asked for by nobody. */
function useInputs(
  draft: ServerDraft,
  used: ReadonlyMap<string, ScalarNode>,
  declared: InputNames,
): void {
  if (used.size === 0) return;
  const nodes: TreeNode[] = [];
  for (const [id, node] of used) {
    if (!declared.has(id))
      draft.diagnostics.report(
        "GW412",
        node,
        `The input '${shorten(id)}' is not declared in \`inputs\`.`,
      );
    const name = declared.get(id) ?? inputName(id);
    if (name !== id && name === inputName(id))
      draft.diagnostics.report(
        "GW123",
        node,
        `The input '${shorten(id)}' is called '${shorten(name)}' here.`,
        `Send its value as \`${shorten(name)}\` in the request's \`inputs\`, or store it under that name.`,
      );
    nodes.push(scalarAt(node, name));
  }
  draft.fields.set("inputs", impliedField("inputs", listAt(draft.place, nodes)));
}

function mapTexts(node: TreeNode, change: (node: ScalarNode, text: string) => TreeNode): TreeNode {
  if (node.kind === "list")
    return { ...node, items: node.items.map((item) => mapTexts(item, change)) };
  if (node.kind === "map") {
    return {
      ...node,
      entries: node.entries.map((entry) => ({ ...entry, value: mapTexts(entry.value, change) })),
    };
  }
  if (node.translated === true) return node;
  return typeof node.value === "string" && /[${]/.test(node.value)
    ? change(node, node.value)
    : node;
}
