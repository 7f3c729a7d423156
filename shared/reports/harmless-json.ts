import { withoutRunnerCommands } from "./visible.ts";

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gv;

/**
 * JSON text, one line and a line feed, that is also harmless when a log or terminal shows it:
 * hidden characters and runner commands are written as `\uXXXX`, which a parser reads back
 * unchanged.
 */
export function harmlessJson(value: unknown): string {
  return `${withoutRunnerCommands(JSON.stringify(value).replace(hidden, escapeUnits))}\n`;
}

function escapeUnits(character: string): string {
  let escaped = "";
  for (let at = 0; at < character.length; at += 1)
    escaped += `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
  return escaped;
}
