const longest = 80;

/**
 * Text of a config made safe to stand in a message: printable ASCII, quoted, at most 80
 * characters, and cut after a colon, behind which URLs and aliases may hold credentials.
 */
export function shown(text: string): string {
  const colon = text.indexOf(":");
  const head = colon === -1 ? text : text.slice(0, colon + 1);
  const cut = head.slice(0, longest);
  const quoted = JSON.stringify(cut).replace(/[^\x20-\x7e]/g, escapeCharacter);
  return cut.length < text.length ? `${quoted.slice(0, -1)}…"` : quoted;
}

/** The name of a command-line option without its value: `--token=abc` → `--token`, `-pabc` → `-p`. */
export function optionName(argument: string): string {
  const name = /^(?:--[A-Za-z][A-Za-z0-9-]{0,40}(?=$|=)|-[A-Za-z])/.exec(argument);
  return name?.[0] ?? "-…";
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
