const longestText = 4_096;
/** Largest detail that is data, as JSON: a server's own error data may be of any size. */
const longestData = 16_384;

/** A text of an error, shortened. Its secrets are masked by then: a cut could hide one from that. */
export function shortenText(text: string): string {
  return text.length <= longestText ? text : `${text.slice(0, longestText - 1).toWellFormed()}…`;
}

/** The same of every text in an error's details; data that is too large becomes the start of its JSON. */
export function shortenDetails(
  details: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(details).map(([key, value]) => [key, shortenDetail(value)]),
  );
}

function shortenDetail(value: unknown): unknown {
  if (typeof value === "string") return shortenText(value);
  if (value === null || typeof value !== "object") return value;
  const json = JSON.stringify(value);
  return json.length <= longestData ? value : shortenText(json);
}
