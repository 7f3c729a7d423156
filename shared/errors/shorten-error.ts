const longestText = 4_096;

/** A text of an error, shortened. Its secrets are masked by then: a cut could hide one from that. */
export function shortenText(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 1).toWellFormed()}…`;
}

/** The same of every text that stands in an error's details directly. */
export function shortenDetails(
  details: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = Object.entries(details);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === "string" ? shortenText(value) : value]),
  );
}
