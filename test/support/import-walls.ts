import { posix } from "node:path";
import type { SourceFile } from "./source-files.ts";

/** Parts of the program, and the parts of it that each may import from. */
const allowed = {
  shared: [],
  "functions/edge": ["shared"],
  "functions/runner": ["shared"],
  "functions/host": ["shared"],
  cli: ["shared"],
  infra: ["shared"],
} as const satisfies Record<string, readonly string[]>;

type Part = keyof typeof allowed;
const parts = Object.keys(allowed) as Part[];

/** Modules of one runtime, which `shared/` must do without. */
const runtimeModule = /^(node|cloudflare|gangway):/;

const importForms = [
  /^\s*(?:import|export)\s[^"']*?\sfrom\s+"([^"]+)"/gm,
  /^\s*import\s+"([^"]+)"/gm,
  /\bimport\(\s*"([^"]+)"/g,
];

/** What a file imports, as written. */
export function importsOf(text: string): string[] {
  return importForms.flatMap((form) => [...text.matchAll(form)].flatMap(([, name]) => name ?? []));
}

/** One sentence for each import that breaks a wall. */
export function wallBreaches(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    importsOf(file.text)
      .filter((name) => breaksWall(file.path, name))
      .map((name) => `${file.path} imports ${name}`),
  );
}

function breaksWall(path: string, name: string): boolean {
  const from = partOf(path);
  if (from === undefined) return false;
  if (!name.startsWith(".")) return from === "shared" && runtimeModule.test(name);
  const target = posix.join(posix.dirname(path), name);
  const to = partOf(target);
  return to !== from && !(allowed[from] as readonly string[]).includes(to ?? "");
}

function partOf(path: string): Part | undefined {
  return parts.find((part) => path.startsWith(`${part}/`));
}
