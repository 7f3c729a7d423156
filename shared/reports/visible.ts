// Cc, Cf, line separators, lone surrogates, default-ignorable code points and the two
// noncharacters XML forbids. U+FE0F stays: it only asks for an emoji's colours.
const hidden =
  /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFE\uFFFF]--\uFE0F]/gv;

// CI runners read commands such as `##[group]` or `##vso[…]` anywhere in a line
// (https://github.com/actions/runner, ActionCommand.TryParse).
const runnerCommand = "##(?=[a-zA-Z]{0,16}\\[)";
const everyRunnerCommand = new RegExp(runnerCommand, "g");

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * The text on one line and safe to print in a terminal or a CI log: control, bidirectional and
 * invisible characters become `\n`, `\r`, `\t`, `\u001b` or `\u{e0041}`, a runner's command
 * marker loses its second `#`. Display only: the result cannot be turned back.
 */
export function visible(text: string): string {
  return text.replace(hidden, escapeCharacter).replace(everyRunnerCommand, `#${escapedHash}`);
}

/** {@link visible} for the place where a line begins: `::` there would start a workflow command. */
export function visibleAtLineStart(text: string): string {
  const shown = visible(text);
  return /^\s*::/.test(shown) ? `./${shown}` : shown;
}

/** The character of `text` that begins at `at`, as {@link visible} would show it in its place. */
export function visibleCharacter(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character === "#" && closesRunnerCommand(text, at)) return escapedHash;
  return /^[ -~]/.test(character) ? character : visible(character);
}

function closesRunnerCommand(text: string, at: number): boolean {
  const command = new RegExp(runnerCommand, "y");
  command.lastIndex = at - 1;
  return at > 0 && command.test(text);
}

/** A `#` as an escape that display texts and JSON strings share. */
const escapedHash = "\\u0023";

/** JSON text whose strings hold no runner command; a parser reads the same values. */
export function withoutRunnerCommands(json: string): string {
  return json.replace(everyRunnerCommand, `#${escapedHash}`);
}

function escapeCharacter(character: string): string {
  const name = named[character];
  if (name !== undefined) return name;
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, "0")}`;
}
