interface Rate {
  /** Events a second that pass in the long run. */
  readonly perSecond: number;
  /** Events that may pass at once after a silence. */
  readonly burst: number;
}

/** A token bucket; `now` is a clock in milliseconds. Answers whether one more event may pass. */
export function rateLimit({ perSecond, burst }: Rate, now: () => number): () => boolean {
  let tokens = burst;
  let filledAt = now();
  return () => {
    const at = now();
    tokens = Math.min(burst, tokens + ((at - filledAt) / 1000) * perSecond);
    filledAt = at;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
