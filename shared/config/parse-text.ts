import { Diagnostics, type Diagnostic } from "./diagnostics.ts";
import type { ConfigLimits } from "./limits.ts";
import { parseJson } from "./tree/json-tree.ts";
import { brokenTree, type Syntax, type SyntaxTree } from "./tree/syntax-tree.ts";
import { parseToml } from "./tree/toml-tree.ts";
import { parseYaml } from "./tree/yaml-tree.ts";

const parsers = { json: parseJson, toml: parseToml, yaml: parseYaml } as const;

const extensions: Readonly<Record<string, Syntax>> = {
  json: "json",
  jsonc: "json",
  json5: "json",
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
};

/** The syntax by the file's name where that tells, else by how the text starts. */
export function syntaxOf(text: string, path: string | undefined): Syntax {
  const name = path?.replace(/\.(?:example|sample|template|dist|bak|txt)$/i, "");
  const extension = name?.slice(name.lastIndexOf(".") + 1).toLowerCase() ?? "";
  const byName = extensions[extension];
  if (byName !== undefined) return byName;
  const start = text.replace(/^\uFEFF/, "").trimStart();
  if (/^(?:\{|\[\s*[{"\]]|\/\/|\/\*)/.test(start)) return "json";
  const statement = start.split("\n").find((line) => !/^\s*(?:#|$)/.test(line)) ?? "";
  return /^\s*(?:\[{1,2}[\w."' -]+\]{1,2}\s*(?:#.*)?$|[\w."'-]+\s*=)/.test(statement)
    ? "toml"
    : "yaml";
}

/** Parses a text; a broken one yields no tree, and findings that say where and why. */
export function parseText(
  text: string,
  syntax: Syntax,
  limits: ConfigLimits,
  diagnostics: Diagnostics,
): SyntaxTree {
  const own = new Diagnostics();
  const tree = guarded(() => parsers[syntax](text, limits, own), own);
  const markers = tree.root === null ? conflictMarkers(text) : [];
  for (const start of markers) {
    const span = { start, end: start + 7 };
    diagnostics.report("GW103", { pointer: "", span }, "A merge-conflict marker stands here.");
  }
  diagnostics.list.push(...own.list.filter((found) => standsBefore(found, markers[0])));
  return tree;
}

/** What the parser stumbles over from the first marker on is the conflict's doing. */
function standsBefore({ span }: Diagnostic, marker: number | undefined): boolean {
  return marker === undefined || (span !== null && span.end <= marker);
}

/** Parsers recurse; input that exhausts the stack is refused like any other that is too deep. */
function guarded(parse: () => SyntaxTree, diagnostics: Diagnostics): SyntaxTree {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    diagnostics.report(
      "GW105",
      { pointer: "", span: { start: 0, end: 0 } },
      "The document is nested too deeply.",
    );
    return brokenTree;
  }
}

/** Offsets of marker lines, where both the opening and the closing kind are there. */
function conflictMarkers(text: string): number[] {
  const lines = [...text.matchAll(/^(?:<{7}|\|{7}|={7}|>{7})(?=[ \r\n]|$)/gm)];
  const has = (start: string) => lines.some(([line]) => line.startsWith(start));
  return has("<") && has(">") ? lines.map(({ index }) => index) : [];
}
