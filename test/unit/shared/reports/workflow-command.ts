/** Commands that GitHub's runner knows; others it prints. */
const known = new Set([
  "add-mask",
  "add-matcher",
  "add-path",
  "debug",
  "echo",
  "endgroup",
  "error",
  "group",
  "notice",
  "remove-matcher",
  "save-state",
  "set-env",
  "set-output",
  "stop-commands",
  "warning",
]);

export interface WorkflowCommand {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** What GitHub's runner reads in a line of a log: `::name a=b::data` at its start; null if nothing. */
export function parseWorkflowCommand(line: string): WorkflowCommand | null {
  const match = /^\s*::([^ ]*?)(?: (.*?))?::(.*)$/su.exec(line);
  const [, command = "", properties = "", data = ""] = match ?? [];
  if (!known.has(command)) return null;
  const pairs = properties.split(",").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [
      name,
      unescape(value.join("="), [
        [/%3A/g, ":"],
        [/%2C/g, ","],
      ]),
    ] as const;
  });
  return { command, properties: Object.fromEntries(pairs), data: unescape(data, []) };
}

/** The older form, `##[name]`, which the runner finds anywhere in a line. */
export function holdsBracketCommand(line: string): boolean {
  return /##(?:vso)?\[/.test(line);
}

function unescape(text: string, more: readonly (readonly [RegExp, string])[]): string {
  const steps = [[/%0D/g, "\r"], [/%0A/g, "\n"], ...more, [/%25/g, "%"]] as const;
  return steps.reduce((all, [escaped, plain]) => all.replace(escaped, plain), text);
}
