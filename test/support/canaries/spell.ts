import { encoders } from "../../unit/shared/secrets/canaries.ts";

/** A value as a careless program may spell it, in every way that is promised to be masked. */
export function spellings(value: string): string {
  return Object.values(encoders)
    .map((encode) => encode(value))
    .join(" | ");
}
