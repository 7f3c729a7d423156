/**
 * Answers whether one more event may pass: at most `perSecond` in any second. `now` is a clock in
 * milliseconds.
 */
export function rateWindow(perSecond: number, now: () => number): () => boolean {
  const passed: number[] = [];
  return () => {
    const at = now();
    const [oldest] = passed;
    if (oldest !== undefined && passed.length === perSecond && at - oldest < 1000) return false;
    if (passed.length === perSecond) passed.shift();
    passed.push(at);
    return true;
  };
}
