import { checkEnvName } from "../../policy/env-names.ts";
import { parseLaunch } from "../../policy/launch.ts";
import { checkPinned } from "../../policy/pinning.ts";
import { findEncoding } from "../../run-contract/encoding.ts";
import type { RuleId } from "../rules.ts";
import { commands, type CommandName } from "../server-config.ts";
import { keyPlace, text, type ListNode, type TreeNode } from "../tree/node.ts";
import { shorten } from "../tree/syntax-tree.ts";
import type { CheckOptions } from "./check-options.ts";
import { argPlace, checkDocker } from "./check-docker.ts";
import { checkGivenValues, type Given } from "./check-given-values.ts";
import { transportOf } from "./check-transport.ts";
import type { ServerDraft } from "./draft.ts";

/** Checks what a stdio server would run: the argv's form, its version, and the environment's names. */
export function checkLaunch(draft: ServerDraft, options: CheckOptions): void {
  if (transportOf(draft) !== "stdio") return;
  checkEnvNames(draft, options);
  checkEnvFilePath(draft);
  checkEncoding(draft);
  const command = commandOf(draft);
  const args = argsOf(draft);
  if (command === null) return;
  checkLauncher(draft, command, options);
  if (args === null) return;
  if (args.items.length > options.maxArgs) {
    draft.diagnostics.report(
      "GW118",
      args,
      `The server has ${args.items.length} arguments; at most ${options.maxArgs} are passed on.`,
    );
    return;
  }
  const words = args.items.flatMap((item) => text(item) ?? []);
  if (words.length !== args.items.length) return;
  const launch = parseLaunch(command, words, options.launchRules);
  if (launch.ok) checkParsed(draft, { launch: launch.value, args, options });
  else {
    const rule = refusalRules[launch.reason] ?? "GW203";
    draft.diagnostics.report(
      rule,
      argPlace(draft, args, launch.index),
      launch.message,
      launch.hint,
    );
  }
}

/** Refusals that have a rule of their own; every other is GW203. */
const refusalRules: Readonly<Partial<Record<string, RuleId>>> = {
  "bin-is-interpreter": "GW208",
  "env-name-reserved": "GW209",
  "env-name-invalid": "GW209",
};

function commandOf(draft: ServerDraft): CommandName | null {
  const written = text(draft.fields.get("command")?.value);
  return commands.find((command) => command === written) ?? null;
}

/** The args; an empty list where none are written, null where they are no list. */
function argsOf(draft: ServerDraft): ListNode | null {
  const node = draft.fields.get("args")?.value;
  if (node?.kind === "list") return node;
  const place = draft.fields.get("command")?.value ?? draft.place;
  return node === undefined
    ? { kind: "list", pointer: place.pointer, span: place.span, items: [] }
    : null;
}

function checkParsed(draft: ServerDraft, given: Given): void {
  const { launch, args } = given;
  const { diagnostics } = draft;
  const place = argPlace(draft, args, launch.packageIndex);
  const pinned = checkPinned(launch);
  if (!pinned.ok) diagnostics.report("GW204", place, pinned.message, pinned.hint);
  if (launch.runner === "npx" && !launch.yes)
    diagnostics.report("GW205", place, "npx runs without -y.");
  if (launch.runner === "docker") checkDocker(draft, launch, args);
  if (launch.runner !== "npx") checkIgnored(draft, launch, args);
  if (launch.runner === "npx" && bridges.has(launch.package)) {
    diagnostics.report("GW213", place, `${launch.package} is a local bridge to a remote server.`);
  }
  checkGivenValues(draft, given);
}

/** Options that are taken because honest configs have them, and that change nothing. */
function checkIgnored(
  draft: ServerDraft,
  { runner, ignored }: { readonly runner: string; readonly ignored: readonly string[] },
  args: ListNode,
): void {
  for (const name of ignored) {
    const written = (item: TreeNode) => text(item)?.split("=")[0] === name;
    const place = argPlace(draft, args, args.items.findIndex(written));
    draft.diagnostics.report(
      "GW220",
      place,
      `The host decides by itself what ${runner} ${name} asks for.`,
    );
  }
}

const bridges = new Set(["mcp-remote", "@modelcontextprotocol/mcp-remote", "supergateway"]);

function checkLauncher(draft: ServerDraft, command: CommandName, options: CheckOptions): void {
  if (options.launchers === null || options.launchers.includes(command)) return;
  const place = draft.fields.get("command")?.value ?? draft.place;
  draft.diagnostics.report("GW212", place, `This deployment has no host that runs ${command}.`);
}

function checkEnvNames(draft: ServerDraft, { launchRules }: CheckOptions): void {
  const env = draft.fields.get("env")?.value;
  if (env?.kind !== "map") return;
  for (const entry of env.entries) {
    const check = checkEnvName(entry.key, launchRules);
    if (!check.ok) draft.diagnostics.report("GW209", keyPlace(entry), check.message, check.hint);
  }
}

function checkEncoding(draft: ServerDraft): void {
  const field = draft.fields.get("encoding");
  const label = text(field?.value);
  if (field === undefined || label === undefined || label === "" || findEncoding(label) !== null)
    return;
  draft.diagnostics.report("GW138", field.value, `The encoding '${shorten(label)}' is not known.`);
}

/** The file is looked for inside the config's folder and nowhere else. */
function checkEnvFilePath(draft: ServerDraft): void {
  const field = draft.fields.get("env_file");
  const path = text(field?.value);
  if (field === undefined || path === undefined) return;
  const leaves = /^(?:[\\/~]|[A-Za-z]:)/.test(path) || path.split(/[\\/]/).includes("..");
  if (leaves)
    draft.diagnostics.report(
      "GW215",
      field.value,
      "The env file's path leads out of the config's folder.",
    );
}
