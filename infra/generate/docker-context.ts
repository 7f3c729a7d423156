import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));

const lockSchema = z.looseObject({
  packages: z.record(
    z.string(),
    z.looseObject({
      dependencies: z.record(z.string(), z.string()).default({}),
      peerDependencies: z.record(z.string(), z.string()).default({}),
      peerDependenciesMeta: z.record(z.string(), z.looseObject({})).default({}),
    }),
  ),
});
type Packages = z.infer<typeof lockSchema>["packages"];

const head = `# What a build of the host's image sees: its source, and the packages that it imports with all that
# they need. Derived from the imports and the lockfile by \`node infra/generate/main.ts\`.`;
/** Of packages, what no program reads. */
const unread = ["**/*.map", "**/*.d.ts", "**/*.d.mts", "**/*.d.cts"];

/** The text of `.dockerignore`: everything is left out but what the host needs to run. */
export function dockerContext(): string {
  const packages = hostPackages().map((path) => `!${path}`);
  const sources = ["!package.json", "!functions/host", "!shared"];
  return [head, "*", ...sources, ...packages, ...unread, ""].join("\n");
}

/** Folders of node_modules, from the root, that the host loads from. */
function hostPackages(): readonly string[] {
  const { packages } = lockSchema.parse(
    JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")),
  );
  const found = new Set<string>();
  for (const name of importedPackages()) addWithNeeds(name, "", { packages, found });
  return [...found].sort();
}

interface Closure {
  readonly packages: Packages;
  readonly found: Set<string>;
}

/** Adds a package as Node finds it from a folder, then what that one needs. */
function addWithNeeds(name: string, from: string, closure: Closure): void {
  const path = installedPath(name, from, closure.packages);
  if (path === null || closure.found.has(path)) return;
  closure.found.add(path);
  const entry = closure.packages[path];
  const peers = Object.keys(entry?.peerDependencies ?? {}).filter(
    (peer) => !Object.hasOwn(entry?.peerDependenciesMeta ?? {}, peer),
  );
  for (const need of [...Object.keys(entry?.dependencies ?? {}), ...peers]) {
    addWithNeeds(need, path, closure);
  }
}

function installedPath(name: string, from: string, packages: Packages): string | null {
  for (let folder = from; ; folder = folder.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, "")) {
    const path = folder === "" ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (Object.hasOwn(packages, path)) return path;
    if (folder === "") return null;
  }
}

/** Names of the packages that the host's files import, by way of any file of `shared`. */
function importedPackages(): Set<string> {
  const waiting = globSync("functions/host/**/*.{ts,mjs}", { cwd: root });
  const seen = new Set(waiting);
  const names = new Set<string>();
  for (const file of waiting) {
    for (const specifier of importsOf(readFileSync(join(root, file), "utf8"))) {
      if (specifier.startsWith(".")) {
        const target = relative(root, resolve(root, dirname(file), specifier));
        if (!seen.has(target) && existsSync(join(root, target))) waiting.push(target);
        seen.add(target);
      } else if (!specifier.startsWith("node:")) names.add(packageName(specifier));
    }
  }
  return names;
}

/** Type imports leave nothing behind when Node runs the file. */
const importForms = [
  /^\s*(?:import|export)\s(?!type\s)[^"';]*?\sfrom\s+"([^"]+)"/gm,
  /^\s*import\s+"([^"]+)"/gm,
  /\bimport\(\s*"([^"]+)"/g,
];

function importsOf(text: string): string[] {
  return importForms.flatMap((form) => [...text.matchAll(form)].flatMap(([, name]) => name ?? []));
}

function packageName(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
