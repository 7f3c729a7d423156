import { parseNpmSpec } from "../../policy/npm-spec.ts";
import type { CommandName } from "../server-config.ts";

/** A launch that does what another one does, in a command that Gangway runs. */
export interface Rewrite {
  readonly command: CommandName;
  /** Arguments put in front, then what is left of the original ones. */
  readonly head: readonly string[];
  /** How many of the original arguments the rewrite consumes. */
  readonly consumed: number;
}

type Rewriter = (program: string, args: readonly string[]) => Rewrite | null;

/**
 * The equal launch in npx, uvx or docker, or null when there is none. Only forms whose meaning is
 * certain are rewritten: another runner of the same registry, a wrapper, an absolute path.
 */
export function rewriteCommand(command: string, args: readonly string[]): Rewrite | null {
  const words = command.trim().split(/\s+/);
  const spaced = words.length > 1 && !/[\\/"']/.test(command);
  const [first = "", ...inline] = spaced ? words : [command];
  const all = [...inline, ...args];
  const program = programName(first);
  for (const rewriter of rewriters) {
    const rewrite = rewriter(program, all);
    if (
      rewrite === null ||
      (program === first &&
        rewrite.head.length === 0 &&
        rewrite.consumed === 0 &&
        !spaced &&
        rewrite.command === command)
    )
      continue;
    return {
      ...rewrite,
      head: [...rewrite.head, ...inline.slice(rewrite.consumed)],
      consumed: Math.max(rewrite.consumed - inline.length, 0),
    };
  }
  return null;
}

const rewriters: readonly Rewriter[] = [
  sameProgram,
  otherRunner,
  subcommand,
  windowsShell,
  posixShell,
  installedScript,
  pythonModule,
];

/** `C:\nodejs\npx.cmd`, `/usr/local/bin/npx` → `npx`. */
function programName(command: string): string {
  const last = command.split(/[\\/]/).at(-1) ?? command;
  return last.replace(/\.(?:cmd|exe|bat|ps1)$/i, "");
}

function sameProgram(program: string): Rewrite | null {
  const command = commandNamed(program);
  return command === null ? null : { command, head: [], consumed: 0 };
}

function commandNamed(program: string): CommandName | null {
  const lower = program.toLowerCase();
  return lower === "npx" || lower === "uvx" || lower === "docker" ? lower : null;
}

const otherRunners: Readonly<Record<string, Omit<Rewrite, "consumed">>> = {
  pnpx: { command: "npx", head: ["-y"] },
  bunx: { command: "npx", head: ["-y"] },
  podman: { command: "docker", head: [] },
};

function otherRunner(program: string, args: readonly string[]): Rewrite | null {
  const known = Object.hasOwn(otherRunners, program) ? otherRunners[program] : undefined;
  if (known === undefined) return null;
  const yes = args[0] === "-y" || args[0] === "--yes";
  return { ...known, consumed: yes && known.head.length > 0 ? 1 : 0 };
}

const subcommands: readonly (readonly [
  words: string,
  command: CommandName,
  head: readonly string[],
])[] = [
  ["pnpm dlx", "npx", ["-y"]],
  ["yarn dlx", "npx", ["-y"]],
  ["bun x", "npx", ["-y"]],
  ["npm exec", "npx", ["-y"]],
  ["npm x", "npx", ["-y"]],
  ["uv tool run", "uvx", []],
  ["uv x", "uvx", []],
  ["pipx run", "uvx", []],
];

function subcommand(program: string, args: readonly string[]): Rewrite | null {
  for (const [words, command, head] of subcommands) {
    const [name, ...rest] = words.split(" ");
    if (name !== program || !rest.every((word, index) => args[index] === word)) continue;
    const skipped = rest.length;
    const next = args[skipped] ?? "";
    const yes = head.length > 0 && (next === "-y" || next === "--yes" || next === "--");
    if (!yes && next.startsWith("-")) return null;
    return { command, head, consumed: skipped + (yes ? 1 : 0) };
  }
  return null;
}

/** `cmd /c npx …`: Windows needs the shell to find npx.cmd; a gateway does not. */
function windowsShell(program: string, args: readonly string[]): Rewrite | null {
  if (program.toLowerCase() !== "cmd" || !/^\/[ck]$/i.test(args[0] ?? "")) return null;
  return wrapped(args, 1);
}

/** `bash -lc "exec npx -y pkg"`, its options in one word or in several: taken apart only when no word needs a shell. */
function posixShell(program: string, args: readonly string[]): Rewrite | null {
  const script = args.at(-1) ?? "";
  if (
    !/^(?:ba|z|da)?sh$/.test(program) ||
    !/^(?:-[li]+ )*-[li]*c$/.test(args.slice(0, -1).join(" "))
  )
    return null;
  const line = script.trim().replace(/^exec\s+/, "");
  if (!/^[\w@./:=+, -]+$/.test(line)) return null;
  const [first = "", ...rest] = line.split(/\s+/);
  const command = commandNamed(programName(first));
  return command === null ? null : { command, head: rest, consumed: args.length };
}

function wrapped(args: readonly string[], at: number): Rewrite | null {
  const command = commandNamed(programName(args[at] ?? ""));
  return command === null ? null : { command, head: [], consumed: at + 1 };
}

/** `node …/node_modules/@scope/name/dist/index.js` runs what `npx @scope/name` runs. */
function installedScript(program: string, args: readonly string[]): Rewrite | null {
  if (program !== "node" && program !== "bun" && program !== "deno") return null;
  const [, name] =
    /(?:^|[\\/])node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/.][^\\/]*)[\\/]/.exec(args[0] ?? "") ?? [];
  const spec = name?.replace("\\", "/");
  if (spec === undefined || !parseNpmSpec(spec).ok) return null;
  return { command: "npx", head: ["-y", spec], consumed: 1 };
}

/** `python -m mcp_server_git`: by custom the module of the package `mcp-server-git`. */
function pythonModule(program: string, args: readonly string[]): Rewrite | null {
  if (!/^(?:python(?:\d(?:\.\d+)?)?|py)$/.test(program) || args[0] !== "-m") return null;
  const module = args[1] ?? "";
  if (!/^(?:mcp_[a-z0-9_]+|[a-z0-9_]+_mcp(?:_server)?)$/.test(module)) return null;
  return { command: "uvx", head: [module.replaceAll("_", "-")], consumed: 2 };
}
