import { pause } from "./pause.ts";

/** Waits for `works`, which never reject, but not longer than `ms`. */
export async function patience(ms: number, works: Iterable<Promise<unknown>>): Promise<void> {
  const all = [...works];
  if (all.length === 0) return;
  const done = new AbortController();
  await Promise.race([Promise.all(all), pause(ms, done.signal)]);
  done.abort("done");
}
