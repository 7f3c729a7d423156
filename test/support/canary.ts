/** Where in an answer a call's canary comes back. */
export const canaryPlaces = ["text", "image", "progress", "error"] as const;
export type CanaryPlace = (typeof canaryPlaces)[number];

/** A text that only one call of a run sends. */
export function makeCanary(index: number): string {
  return `canary-${index}-${crypto.randomUUID()}`;
}

const canaries = /canary-\d+-[0-9a-f-]{36}/g;
const imageData = /"data":"([A-Za-z0-9+/=]+)"/g;

/** Every canary of an answer as it came over the wire, those in images too. */
export function canariesIn(answer: string): readonly string[] {
  const images = [...answer.matchAll(imageData)].map(([, data = ""]) =>
    Buffer.from(data, "base64").toString(),
  );
  return [answer, ...images].flatMap((text) => text.match(canaries) ?? []);
}

/** An answer that says that the connection to the server was lost, or could not be made. */
const lost = /"code":"CONNECTION_(?:LOST|FAILED)"/;

/** How an answer stands to the canary that its call sent; `lost` is told as such by the answer. */
export type Placing = "right" | "lost" | "missing" | "foreign";

export function placingOf(canary: string, answer: string): Placing {
  const found = canariesIn(answer);
  if (found.some((other) => other !== canary)) return "foreign";
  if (found.length > 0) return "right";
  return lost.test(answer) ? "lost" : "missing";
}
