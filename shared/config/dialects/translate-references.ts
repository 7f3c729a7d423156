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
      reportChanges({ client, draft, node }, translated);
      return scalarAt(node, name === "url" ? withDefaults(text, translated) : translated.text);
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

function reportChanges({ client, draft, node }: At, translated: Translated): void {
  for (const { name } of translated.defaults) {
    draft.diagnostics.report("GW416", node, `The default value of ${name} is not kept.`);
  }
  const first = translated.literal.find((name) => client.variables?.includes(name) !== true);
  if (first === undefined) return;
  draft.diagnostics.report(
    "GW411",
    node,
    `${client.title} sends \${${first}} as it stands; a gateway reads it as a reference.`,
  );
}

/** References work in a URL's query only: before it the default value is what can be used. */
function withDefaults(written: string, translated: Translated): string {
  const start = queryStart(translated.text);
  if (!written.includes(":-") || !translated.text.slice(0, start).includes("${"))
    return translated.text;
  return translated.defaults.reduce((url, { name, value }) => {
    const at = url.indexOf(`\${${name}}`);
    return at === -1 || at >= queryStart(url) ? url : url.replace(`\${${name}}`, () => value);
  }, translated.text);
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
    nodes.push(scalarAt(node, declared.get(id) ?? inputName(id)));
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
