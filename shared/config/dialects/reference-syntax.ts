import { findToken } from "../secrets/token-shapes.ts";
import { inputName, type InputNames } from "./input-names.ts";

/** Ways to write a reference that clients have. */
export type ReferenceSyntax =
  | "${NAME}"
  | "${NAME:-default}"
  | "$NAME"
  | "${env:NAME}"
  | "${input:id}"
  | "{env:NAME}"
  | "${{ secrets.NAME }}"
  | "{{NAME}}";

interface Form {
  readonly syntax: ReferenceSyntax;
  readonly pattern: string;
}

const name = "[A-Za-z_][A-Za-z0-9_]*";

/** Longer forms first: at one place the first form that fits is taken. */
const forms: readonly Form[] = [
  { syntax: "${{ secrets.NAME }}", pattern: `\\$\\{\\{\\s*secrets\\.(${name})\\s*\\}\\}` },
  { syntax: "${env:NAME}", pattern: `\\$\\{env:(${name})\\}` },
  { syntax: "${input:id}", pattern: "\\$\\{input:([A-Za-z0-9_.-]+)\\}" },
  { syntax: "${NAME:-default}", pattern: `\\$\\{(${name}):-[^{}]*\\}` },
  { syntax: "${NAME}", pattern: `\\$\\{(${name})\\}` },
  { syntax: "{env:NAME}", pattern: `\\{env:(${name})\\}` },
  { syntax: "{{NAME}}", pattern: `\\{\\{(${name})\\}\\}` },
  { syntax: "$NAME", pattern: `\\$(${name})` },
];

const all = new RegExp(forms.map(({ pattern }) => pattern).join("|"), "g");

export interface Translated {
  /** The text with every understood reference in the native syntax. */
  readonly text: string;
  /** Ids of `${input:…}` that were used. */
  readonly inputs: readonly string[];
  /** Names whose default value was left out. */
  readonly defaults: readonly { readonly name: string; readonly value: string }[];
  /** Native references that this client would have sent as they stand. */
  readonly literal: readonly string[];
}

/**
 * Translates the reference syntaxes that a client understands; others stay as they are. `names` has
 * the inputs that the file declares.
 */
export function translate(
  text: string,
  syntaxes: readonly ReferenceSyntax[],
  names: InputNames = new Map(),
): Translated {
  const inputs: string[] = [];
  const defaults: { name: string; value: string }[] = [];
  const literal: string[] = [];
  const translated = text.replace(all, (whole: string, ...groups: unknown[]) => {
    const index = forms.findIndex((_, at) => typeof groups[at] === "string");
    const syntax = forms[index]?.syntax;
    const found = String(groups[index]);
    // A credential pasted in place of a name stays as it is: it must not travel as a name.
    if (syntax === undefined || findToken(found) !== null) return whole;
    if (!syntaxes.includes(syntax)) {
      if (syntax === "${NAME}") literal.push(found);
      return whole;
    }
    if (syntax === "${input:id}") inputs.push(found);
    if (syntax === "${NAME:-default}")
      defaults.push({ name: found, value: whole.slice(found.length + 4, -1) });
    return `\${${syntax === "${input:id}" ? (names.get(found) ?? inputName(found)) : found}}`;
  });
  return { text: translated, inputs, defaults, literal };
}
