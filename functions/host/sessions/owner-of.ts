import type { RunRequest } from "../../../shared/run-contract/contract.ts";

/** For whom a process is kept between runs; an edge that does not tell is known by its pool key. */
export function ownerOf({ owner, pool_key }: RunRequest): string {
  return owner ?? pool_key;
}
