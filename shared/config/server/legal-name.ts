/** A legal name made of any text; empty when nothing legal is left. */
export function legalName(name: string): string {
  return name
    .replace(/[^0-9A-Za-z]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, 64);
}
