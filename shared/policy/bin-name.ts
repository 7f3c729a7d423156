import { accept, refuse, type Check, type Refusal } from "./check.ts";
import type { LaunchReason } from "./reasons.ts";
import { shown } from "./shown.ts";

const shells = `sh bash dash ash zsh ksh mksh fish csh tcsh nu elvish xonsh busybox toybox cmd powershell
  pwsh shx zx shell-exec`;
const javascript = `node nodejs node-bin deno bun bunx tsx ts-node ts-node-esm ts-node-script
  ts-node-transpile-only ts-node-dev esno esrun jiti swc-node babel-node vite-node coffee qjs electron`;
const otherLanguages = `python pythonw pypy cpython graalpy ipython ptpython bpython ruby irb perl php lua
  luajit tclsh wish expect guile rscript groovy java jshell dotnet awk gawk mawk nawk osascript go cargo swift`;
const packageRunners = `npm npx npm-cli npx-cli pnpm pnpx yarn yarnpkg corepack cnpm pip pipx uv uvx poetry pdm
  hatch conda mamba gem bundle docker podman nerdctl`;
const starters = `env xargs find sudo su doas nohup setsid nice timeout time watch script strace ssh socat nc
  ncat make git vim vi ed sed cross-env cross-env-shell concurrently nodemon npm-run-all run-s run-p dotenvx
  dotenv env-cmd`;

/** Programs that run whatever their arguments say, so that the package's name would promise nothing. */
const interpreters: ReadonlySet<string> = new Set(
  [shells, javascript, otherLanguages, packageRunners, starters].flatMap((names) =>
    names.split(/\s+/),
  ),
);

const pattern = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;

/**
 * Checks the name of a program that a package is to run: one plain name, no path, and none of the
 * shells, interpreters and launchers. That the package declares it is for the host to look up.
 */
export function checkBinName(text: string): Check<string, LaunchReason> {
  if (text === "") return refuse("bin-missing", "No program is named.", binHint);
  if (text.includes("${")) {
    return refuse(
      "bin-is-reference",
      "The program's name holds a reference.",
      "Write the program's name out.",
    );
  }
  if (/[/\\]/.test(text) || /^\.{1,2}$/.test(text)) {
    return refuse("bin-is-path", `The program ${shown(text)} is a path.`, binHint);
  }
  if (!pattern.test(text)) {
    return refuse("bin-name-invalid", `${shown(text)} is no program's name.`, binHint);
  }
  return refuseInterpreter(text) ?? accept(text);
}

/** The refusal of a program that runs code of its arguments, `python3.12`, `BASH`, `node.exe`; else null. */
export function refuseInterpreter(name: string): Refusal<LaunchReason> | null {
  if (!isInterpreter(name)) return null;
  return refuse(
    "bin-is-interpreter",
    `${shown(name)} is a shell, an interpreter or a launcher, which would run whatever its arguments say.`,
    "Publish the server as a package that declares a program of its own, and name that program.",
  );
}

function isInterpreter(name: string): boolean {
  const bare = name.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1|sh|js|mjs|cjs)$/, "");
  return interpreters.has(bare) || interpreters.has(bare.replace(/-?\d[\d.]*t?$/, ""));
}

const binHint = "Write the plain name of a program that the package itself declares.";
