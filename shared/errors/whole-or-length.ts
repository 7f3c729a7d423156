/**
 * A peer's text for a message, or only how long it is: a text that is cut may end inside a secret,
 * whose rest no redactor knows.
 */
export function wholeOrLength(text: string, longest: number): string {
  return text.length <= longest ? text : `[${text.length} characters]`;
}
