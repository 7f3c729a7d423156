import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./source-files.ts";

export interface ReadmeSection {
  /** Contents of the section's code blocks by language, in order. */
  readonly blocks: readonly { readonly language: string; readonly code: string }[];
}

/** One section of README.md, by its heading. */
export function readmeSection(heading: string): ReadmeSection {
  const text = readFileSync(join(root, "README.md"), "utf8");
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new TypeError(`README.md has no section '${heading}'`);
  const blocks = [...section.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(
    ([, language = "", code = ""]) => ({ language, code: code.trimEnd() }),
  );
  return { blocks };
}
