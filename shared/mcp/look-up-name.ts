import type { OperationDeadline } from "./operation-deadline.ts";
import type { Listing, OperationOptions } from "./session-types.ts";

/** Asking the list whether a name exists may take this long. */
const longestLookupMs = 5_000;

interface Named {
  readonly name: string;
}

export interface NameLookup<Item extends Named> {
  readonly name: string;
  readonly list: (options: OperationOptions) => Promise<Listing<Item>>;
  readonly deadline: OperationDeadline;
}

/** What the server's list says of a name; `unknown` where the list is not complete. */
export async function lookUpName<Item extends Named>({
  name,
  list,
  deadline,
}: NameLookup<Item>): Promise<Item | "absent" | "unknown"> {
  try {
    const timeoutMs = Math.min(longestLookupMs, deadline.remainingMs);
    const { items, warnings } = await list({ timeoutMs, signal: deadline.signal });
    const complete = warnings.every(({ code }) => code === "FIELD_REPAIRED");
    return items.find((item) => item.name === name) ?? (complete ? "absent" : "unknown");
  } catch {
    // Without a list nothing is known: the first answer stands.
    return "unknown";
  }
}
